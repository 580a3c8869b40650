"""A log for programs: each line of it, whoever writes it."""

import json
import logging
from collections.abc import Iterator

import pytest
from streamlit import logger as streamlit_logger

from explorer.ui import operation
from explorer.ui.streamlit_internals import log


@pytest.fixture
def loggers() -> Iterator[None]:
    """Put back what writes the log."""
    kept = {each: each.handlers[:] for each in [logging.getLogger(), *streamlit_logger._loggers.values()]}
    setup = streamlit_logger.setup_formatter
    yield
    streamlit_logger.setup_formatter = setup
    logging.captureWarnings(False)
    for each, handlers in kept.items():
        each.handlers[:] = handlers


@pytest.mark.usefixtures("loggers")
def test_every_line_of_the_log_is_one_object_without_what_a_reader_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    streamlit_logger.get_logger("streamlit.before")
    log.write_as(operation.JsonLines())
    ours, before = logging.getLogger("explorer.some"), streamlit_logger.get_logger("streamlit.before")
    try:
        int("Zwiebel")
    except ValueError:
        for each in (ours, before, streamlit_logger.get_logger("streamlit.after")):
            each.exception("a batch broke off")
    ours.warning("%d sentences\nwait", 3)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["logger"] for line in lines] == [
        "explorer.some",
        "streamlit.before",
        "streamlit.after",
        "explorer.some",
    ]
    for line in lines[:3]:
        assert (line["level"], line["message"], line["error"]) == ("error", "a batch broke off", "ValueError")
        assert line["at"][-1].startswith("test_log.py:")
    assert lines[3]["message"] == "3 sentences\nwait"
    assert "Zwiebel" not in str(lines)
