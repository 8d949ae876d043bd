/**
 * The server's own code for scope rules and testing hours, which reads no database: what is decided without a
 * connection is decided by the same functions. Nothing else of the server is imported.
 */
export { outsideTestingHours } from '../../../server/src/features/engagements/details/testing-hours.ts'
export { evaluateText } from '../../../server/src/features/scope/rules/evaluate-text.ts'
export { isRefusal } from '../../../server/src/features/scope/rules/host.ts'
export { storedSubject } from '../../../server/src/features/scope/rules/pattern.ts'
export { recognise, type Subject } from '../../../server/src/features/scope/rules/recognise.ts'
export { compileRules, type ScopeRule } from '../../../server/src/features/scope/rules/rule-set.ts'
