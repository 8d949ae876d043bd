export const METRICS_TOKEN = 'a-token-of-the-test-run-that-opens-the-metrics'

/** The metrics of a server under test, in the text format of Prometheus. @throws for an answer that is not 200 */
export const metricsText = async (origin: string): Promise<string> => {
  const response = await fetch(`${origin}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' },
  })
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  return response.text()
}
