; Function definitions that have a body. K&R definitions are aliased to the same node by the grammar.
(function_definition) @function
