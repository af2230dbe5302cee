; Every statement node. The capture's name says what to make of it; its parts are read through the node's fields.
(compound_statement) @block
(if_statement) @if
(for_statement) @for
(while_statement) @while
(do_statement) @do
(switch_statement) @switch
(case_statement) @case
(labeled_statement) @label
(goto_statement) @goto
(break_statement) @break
(continue_statement) @continue
(return_statement) @return
(expression_statement) @expression
(declaration) @declaration
(type_definition) @typedef

; What follows holds only for nodes whose parent is of one of the kinds named: `inside` is read by the program. Patterns of
; a single node cost nothing to compile, which happens in every run.

; `struct s { … };` alone is not a `declaration` in this grammar.
([(struct_specifier) (union_specifier) (enum_specifier)] @bare_type
  (#set! inside "compound_statement"))

; Found above too, but no statements of their own: the braces of GNU statement expressions.
((compound_statement) @closed
  (#set! inside "parenthesized_expression argument_list parameter_list"))
