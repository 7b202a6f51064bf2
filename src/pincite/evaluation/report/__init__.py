"""One evaluation for people and machines: text, JSON, JUnit XML, Markdown, HTML."""
