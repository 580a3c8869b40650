"""What computes, on a cluster of Ray Serve, for owners of more than one machine: `serve run deploy/cluster.yaml`."""
