"""The numbers behind the pictures of the whole Transformer."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from explorer.lessons.whole_transformer.state import Result
from explorer.records.language import t
from explorer.ui import tables


def sureness(result: Result) -> pd.DataFrame:
    """List how likely each written piece was."""
    labels = tables.number_labels(tuple(each.written.label for each in result.whole.steps))
    return pd.DataFrame({t("probability"): [each.written.probability for each in result.whole.steps]}, index=labels)


def list_added(labels: Sequence[str], shares: Mapping[str, npt.NDArray[np.float32]]) -> pd.DataFrame:
    """List how long what each part adds to a line is, by the length of the line."""
    return pd.DataFrame(dict(shares), index=tables.number_labels(tuple(labels)))


def products(values: npt.NDArray[np.float32]) -> pd.DataFrame:
    """List the products of one score."""
    return pd.DataFrame(
        {"q · k": values}, index=pd.RangeIndex(1, len(values) + 1, name=t("number of the head’s vectors"))
    )
