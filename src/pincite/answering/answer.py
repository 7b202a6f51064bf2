"""One question, its passages, and what a model makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pincite.answering.checking import Fault, cited_numbers, faults
from pincite.answering.prompts import NOT_FOUND, messages, repair
from pincite.chunk import Citation
from pincite.errors import ReplyError
from pincite.options import AskOptions
from pincite.remote import Chat, Client, Endpoint, Limits, Reply, Usage
from pincite.remote.endpoint import usual_key
from pincite.retrieval.passage import Passage, citation_json, passage_json

__all__ = ["Answer", "Refusal", "answer", "answer_json", "chat_of"]

Draft = Callable[[str], None]
"""Called with each piece of an answer as it comes, unchecked; with an empty piece where it begins again."""

Why = Literal["no_passages", "no_endpoint", "not_found", "unsupported"]

TRIES: Final = 2
"""An answer, and one that mends it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer."""

    code: Why
    reason: str
    faults: tuple[Fault, ...] = ()
    """What was wrong with the last answer that the model gave."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose references were all looked up, or a refusal; never both."""

    question: str
    text: str | None
    refusal: Refusal | None
    passages: tuple[Passage, ...]
    """All that the model was given."""

    citations: tuple[Citation, ...] = ()
    """Those that the text refers to, in the order in which it does."""

    model: str = ""
    """What the endpoint says the model is."""

    usage: Usage = field(default_factory=Usage)
    """Tokens of all tries."""

    tries: int = 0


def answer(
    question: str,
    passages: Sequence[Passage],
    chat: Chat | None,
    *,
    evidence: float = 0.0,
    draft: Draft | None = None,
) -> Answer:
    """An answer from the passages, checked, or a refusal.

    Passages whose cosine is under `evidence` are not sent, nor are those without one where it is over
    0; where none is left the model is not asked. `chat` is None where no endpoint is known.
    Raises RemoteError where the endpoint fails.
    """
    sent = tuple(each for each in passages if evidence <= 0 or each.scores.get("vector", -1.0) >= evidence)
    if not sent:
        reason = f"no passage has a cosine of {evidence:g}" if passages else "no passage was found"
        return refused(question, tuple(passages), "no_passages", f"{reason}, so the model was not asked")
    if chat is None:
        return refused(question, sent, "no_endpoint", "no endpoint is set that could answer")
    return asked(question, sent, chat, draft)


def refused(question: str, passages: tuple[Passage, ...], code: Why, reason: str) -> Answer:
    return Answer(question, None, Refusal(code, reason), passages)


def asked(question: str, passages: tuple[Passage, ...], chat: Chat, draft: Draft | None) -> Answer:
    """Ask, check, and ask once more with the faults where there are some."""
    talk, used = messages(question, passages), Usage()
    for tried in range(1, TRIES + 1):
        reply = spoken(chat, talk, draft)
        used = used + reply.usage
        text = reply.text.strip()
        if NOT_FOUND in text:
            refusal = Refusal("not_found", "the passages do not answer the question, says the model")
            return Answer(question, None, refusal, passages, (), reply.model, used, tried)
        wrong = faults(text, passages)
        if reply.finish == "length":
            raise ReplyError(chat.client.endpoint.url, "the answer was cut off", "raise ask.answer_tokens")
        if not wrong:
            known = {each.citation.number: each.citation for each in passages}
            cited = tuple(known[number] for number in cited_numbers(text))
            return Answer(question, text, None, passages, cited, reply.model, used, tried)
        talk = [*messages(question, passages), *repair(question, text, wrong)]
    said = "; ".join(map(str, wrong))
    refusal = Refusal("unsupported", f"the model's answer does not stand on the passages: {said}", tuple(wrong))
    return Answer(question, None, refusal, passages, (), reply.model, used, TRIES)


def spoken(chat: Chat, talk: Sequence[dict[str, str]], draft: Draft | None) -> Reply:
    """The model's reply; in pieces where somebody looks on."""
    if draft is None:
        return chat.ask(talk)
    draft("")
    stream = chat.stream(talk)
    for piece in stream:
        draft(piece)
    assert stream.reply is not None
    return stream.reply


def chat_of(options: AskOptions) -> Chat | None:
    """The model that the options name; None where they name no endpoint. Close its client after use."""
    if not options.endpoint:
        return None
    key = options.key_variable or usual_key(options.endpoint)
    endpoint = Endpoint(options.endpoint, key, Limits(total=options.timeout), "ask.endpoint")
    return Chat(Client(endpoint), options.model, max_tokens=options.answer_tokens)


def answer_json(found: Answer, content: bool = True) -> dict[str, Any]:
    """The wire form `pincite.answer/1`."""
    refusal = found.refusal
    return {
        "schema": "pincite.answer/1",
        "question": found.question,
        "answer": found.text,
        "refusal": refusal
        and {
            "code": refusal.code,
            "reason": refusal.reason,
            "faults": [
                {"kind": each.kind, "said": each.said, "numbers": list(each.numbers)} for each in refusal.faults
            ],
        },
        "citations": [citation_json(each, content) for each in found.citations],
        "passages": [passage_json(each, content) for each in found.passages],
        "model": found.model or None,
        "tries": found.tries,
        "usage": {"prompt_tokens": found.usage.prompt, "completion_tokens": found.usage.completion},
    }
