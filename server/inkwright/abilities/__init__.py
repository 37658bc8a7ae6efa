"""From a writer's wish to a run, and from its outcome to a proposal or a report."""
