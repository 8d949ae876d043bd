import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, freePort, type Stage } from '../../support/app/server-process.ts'
import { METRICS_TOKEN } from '../../support/document/metrics.ts'

const RULES = fileURLToPath(new URL('../../../../deploy/prometheus/alerts.yaml', import.meta.url))

/** A Prometheus that scrapes servers every two seconds, with the alerts of `deploy/`. */
export interface Prometheus {
  /** The alerts that fire, as `name of job`. */
  firing(): Promise<string[]>
  /** The series that a query finds now. */
  query(text: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>
}

/** What `promtool` says of the alerts; `SUCCESS` is in it if they are well-formed. */
export const checkRules = (): string => spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' }).stdout

/** @param ports of the servers, by the name of their job */
export const startPrometheus = async (stage: Stage, ports: Readonly<Record<string, number>>): Promise<Prometheus> => {
  const directory = stage.directory()
  const rules = path.join(directory, 'alerts.yaml')
  // The faults are the real ones; only how long they have to last is shortened.
  writeFileSync(rules, readFileSync(RULES, 'utf8').replaceAll(/^(\s+for:) \S+$/gm, '$1 1s'))
  const jobs = Object.entries(ports).map(([name, port]) => ({
    job_name: name,
    authorization: { credentials: METRICS_TOKEN },
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }))
  const config = path.join(directory, 'prometheus.yaml')
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: jobs,
    }),
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(directory, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  )
  stage.add(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
  })
  const ask = async (what: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${what}`)
    if (!response.ok) throw new Error(`Prometheus answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: never }).data
  }
  await eventually(() => ask('/api/v1/query?query=up'))
  return {
    firing: async () => {
      const { alerts } = (await ask('/api/v1/alerts')) as {
        alerts: { state: string; labels: { alertname: string; job: string } }[]
      }
      const firing = alerts.filter(({ state }) => state === 'firing')
      return [...new Set(firing.map(({ labels }) => `${labels.alertname} of ${labels.job}`))].toSorted()
    },
    query: async (text) => {
      const { result } = (await ask(`/api/v1/query?query=${encodeURIComponent(text)}`)) as { result: never }
      return result
    },
  }
}
