"""The adapter for LiveKit Agents, in the environment where it is installed."""

from tests.adapters.environments import framework_tests

test_with_the_real_framework = framework_tests("livekit")
