"""Commands of long work: jobs, batches, surveys."""
