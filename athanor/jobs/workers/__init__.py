"""Who does the work of jobs: units, workers, and crews of them on one machine or a cluster."""
