"""Deployments of Ray Serve, each replica around a worker of ours; `deploy/cluster.yaml` says how many and where.

Ray gives orders to the replica with the shortest line, starts more of them, and starts lost ones again.
"""

from ray import serve

from explorer.cluster.replica import Replica
from explorer.cluster.training import TrainingReplica
from explorer.opened import queue
from explorer.service.translation import process


class Translations(Replica):
    """Translates batches; what is written is heard while it is."""

    def __init__(self) -> None:
        super().__init__(process.start_here, process.PATIENCE_S, can_drop=True)


class OpenedModels(Replica):
    """Opens models that others made, and looks."""

    def __init__(self) -> None:
        super().__init__(queue.start_here, queue.START_PATIENCE_S, can_drop=False)


#: What `deploy/cluster.yaml` names. A replica has one order at a time: the others wait for whoever is free first.
translation = serve.deployment(Translations, max_ongoing_requests=1).bind()
models = serve.deployment(OpenedModels, max_ongoing_requests=1).bind()
lab = serve.deployment(TrainingReplica, name="Trainings", max_ongoing_requests=1).bind()
