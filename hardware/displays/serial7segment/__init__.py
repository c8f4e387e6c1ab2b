"""SparkFun's Serial7Segment and OpenSegment."""
