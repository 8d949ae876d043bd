// Reads the reports of the test runners: passed and failed tests, and the duration of each file.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../runtime.mjs'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

const firstLine = (text) => (text ?? '').split('\n', 1)[0].slice(0, 300)

/** A file that failed before its first test counts as one failure. */
export const countVitest = (file) => {
  const { numPassedTests, numFailedTests, success, testResults } = read(file)
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: path.relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }))
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const tests = failed.map(
      ({ fullName, failureMessages }) => `${path.relative(ROOT, name)}: ${fullName}: ${firstLine(failureMessages[0])}`,
    )
    return broken.some((other) => other.name === name) ? [`${path.relative(ROOT, name)}: ${firstLine(message)}`] : tests
  })
  return { passed: numPassedTests, failed: Math.max(numFailedTests + broken.length, success ? 0 : 1), files, failures }
}

/** Duration of a file: the sum of its tests, which run in several workers. */
export const countPlaywright = (file) => {
  const { stats, errors, suites } = read(file)
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  const specs = suites.flatMap(specsOf)
  const failures = specs
    .filter(({ ok }) => !ok)
    .map(
      ({ file: name, title, tests }) =>
        `e2e/${name}: ${title}: ${firstLine(tests.flatMap((test) => test.results).findLast(({ error }) => error)?.error.message)}`,
    )
  const results = (suite) => [
    ...(suite.specs ?? []).flatMap(({ tests }) => tests.flatMap((test) => test.results)),
    ...(suite.suites ?? []).flatMap(results),
  ]
  const files = suites.map((suite) => ({
    name: path.join('e2e', suite.file),
    seconds: results(suite).reduce((sum, { duration }) => sum + duration / 1000, 0),
  }))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    files,
    failures: [...failures, ...errors.map(({ message }) => firstLine(message))],
  }
}
