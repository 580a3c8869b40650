"""How the server's log is written."""

import logging

from streamlit import logger as streamlit_logger


def write_as(formatter: logging.Formatter) -> None:
    """Have every line of the log written by a formatter: Streamlit's, Uvicorn's and ours; call once they have begun."""

    def put(logger: logging.Logger) -> None:
        for old in tuple(logger.handlers):
            logger.removeHandler(old)
        made = logging.StreamHandler()
        made.setFormatter(formatter)
        logger.addHandler(made)

    streamlit_logger.setup_formatter = put  # of those that begin later
    for each in tuple(logging.Logger.manager.loggerDict.values()):
        if isinstance(each, logging.Logger) and each.handlers:
            put(each)
    put(logging.getLogger())
    logging.captureWarnings(True)
