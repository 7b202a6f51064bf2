"""Talking to endpoints over HTTP: the one place that opens a connection.

Embedding, answering and judging are services of others that may be slow, busy or wrong. What such a
service does must cost a clear error at worst: each request has time limits, is tried again where
that may help, and its reply is checked before anyone uses it. An error names the endpoint, the
status and what to do; a secret comes from an environment variable, goes into one header, and is
neither printed nor stored.
"""

from __future__ import annotations

from pincite.remote.chat import Chat, Reply, Usage
from pincite.remote.client import Client
from pincite.remote.endpoint import Endpoint, Limits

__all__ = ["Chat", "Client", "Endpoint", "Limits", "Reply", "Usage"]
