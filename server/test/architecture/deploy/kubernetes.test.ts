import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { requireKnownJobs } from '../../../src/app/app.ts'
import { VARIABLES } from '../../../src/platform/config.ts'

/** The parts of the manifests that tests read. */
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec: {
    replicas?: number
    minAvailable?: number
    selector?: { matchLabels?: Record<string, string> }
    podSelector?: { matchLabels?: Record<string, string> }
    policyTypes?: string[]
    ingress?: unknown[]
    egress?: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports?: { port: number }[] }[]
    template?: Template
    jobTemplate?: { spec: { template: Template } }
  }
}
interface Template {
  metadata: { labels: Record<string, string> }
  spec: Pod
}
interface Pod {
  automountServiceAccountToken: boolean
  securityContext: object
  terminationGracePeriodSeconds: number
  hostNetwork?: boolean
  containers: {
    image: string
    env: { name: string; value: string }[]
    securityContext: object
    volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
    livenessProbe: { httpGet: { path: string } }
    readinessProbe: { httpGet: { path: string } }
  }[]
}

const DIRECTORY = 'deploy/kubernetes'
const manifests = readdirSync(DIRECTORY).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(DIRECTORY, file), 'utf8'), { uniqueKeys: true }).map((document) => {
    expect([file, document.errors]).toEqual([file, []])
    return document.toJS() as Manifest
  }),
)
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
const named = (kind: string, name: string): Manifest => {
  const found = ofKind(kind).find(({ metadata }) => metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}
const deployments = ofKind('Deployment').map((each) => ({
  name: each.metadata.name,
  ...each.spec,
  pod: each.spec.template?.spec as Pod,
}))
const settingsOf = ({ pod }: { pod: Pod }) =>
  Object.fromEntries((pod.containers[0]?.env ?? []).map(({ name, value }) => [name, value]))

/** The module of each version of the API in the types of Kubernetes. */
const moduleOf = (apiVersion: string): string => (apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io/', '/'))

/** Lines of the compiler about objects with their types: it also finds fields that do not exist. */
const mistakesIn = (objects: readonly Manifest[]): string[] => {
  mkdirSync('node_modules/.cache', { recursive: true })
  const directory = mkdtempSync(path.resolve('node_modules/.cache/sortie-manifests-'))
  try {
    const lines = objects.map(
      (object, index) =>
        `export const manifest${index}: import('kubernetes-types/${moduleOf(object.apiVersion)}').${object.kind} = ${JSON.stringify(object)}`,
    )
    writeFileSync(path.join(directory, 'manifests.ts'), lines.join('\n'))
    const { stdout } = spawnSync(
      'node_modules/.bin/tsc',
      ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', '', path.join(directory, 'manifests.ts')],
      { encoding: 'utf8' },
    )
    return stdout.split('\n').filter(Boolean)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('deploy/kubernetes', () => {
  test('every object has the fields of its kind, and only those', () => {
    expect(manifests.length).toBeGreaterThan(10)
    expect(mistakesIn(manifests)).toEqual([])
    const mistaken = structuredClone(named('Deployment', 'web'))
    Object.assign(mistaken.spec.template?.spec ?? {}, { restartPolcy: 'Always' })
    expect(mistakesIn([mistaken]).join('\n')).toContain('restartPolcy')
  })

  test('all pods are restricted: an account without rights, a read-only root, no token of the cluster', () => {
    expect(deployments.map(({ name }) => name)).toEqual(['runner', 'web', 'worker'])
    const backup = named('CronJob', 'backup').spec.jobTemplate?.spec.template.spec as Pod
    for (const pod of [...deployments.map((each) => each.pod), backup]) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
      expect(pod.hostNetwork).toBeUndefined()
    }
    for (const { name, pod, selector, template } of deployments) {
      expect(template?.metadata.labels, name).toMatchObject(selector?.matchLabels ?? { nothing: 'selected' })
      expect(pod.containers, name).toMatchObject([
        {
          livenessProbe: { httpGet: { path: '/api/health/live' } },
          readinessProbe: { httpGet: { path: '/api/health' } },
        },
      ])
    }
    expect(named('Namespace', 'sortie').metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    expect(manifests.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'sortie')).toEqual(
      [],
    )
  })

  test('of each kind of server two run, one of which may be stopped by the cluster, and each has time to end', () => {
    const delay = Number(named('ConfigMap', 'sortie').data?.['SHUTDOWN_DELAY_SECONDS'])
    for (const { name, replicas, selector, pod } of deployments) {
      expect(replicas).toBe(2)
      expect(named('PodDisruptionBudget', name).spec).toEqual({ minAvailable: 1, selector })
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delay + 30)
    }
  })

  test('settings are settings of the server, and none is a secret', () => {
    const settings = { ...named('ConfigMap', 'sortie').data }
    for (const each of deployments) Object.assign(settings, settingsOf(each))
    const names = Object.keys(settings).filter((name) => name !== 'ENV_FILE')
    const variables: Readonly<Record<string, object>> = VARIABLES
    expect(names.filter((name) => !variables[name])).toEqual([])
    expect(names.filter((name) => 'secret' in (variables[name] ?? {}))).toEqual([])
    expect(ofKind('Secret')).toEqual([])
  })

  test('each kind of job has a server: the runner scans and requests, the worker does everything else', () => {
    const jobs = (name: string) =>
      settingsOf(deployments.find((each) => each.name === name)!)['SORTIE_JOBS']?.split(',') ?? []
    expect(jobs('runner')).toEqual(['requests', 'scan'])
    let known = ''
    try {
      requireKnownJobs({ SORTIE_JOBS: ['unknown'] })
    } catch (error) {
      known = (error as { lines: string[] }).lines.join('').split('there are ')[1] as string
    }
    expect([...jobs('runner'), ...jobs('worker')].toSorted(), 'deploy/kubernetes/worker.yaml').toEqual(
      known.split(', '),
    )
    expect(named('ConfigMap', 'sortie').data?.['REQUESTS_BY']).toBe('workers')
    expect(settingsOf(deployments.find(({ name }) => name === 'web')!)).toEqual({ SORTIE_ROLE: 'api' })
  })

  test('nothing is allowed but what a policy names, and the runner reaches neither the cluster nor a private network', () => {
    expect(named('NetworkPolicy', 'nothing-else').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    for (const { name, selector } of deployments) {
      const { podSelector, policyTypes } = named('NetworkPolicy', name).spec
      expect([podSelector, policyTypes]).toEqual([selector, ['Ingress', 'Egress']])
    }
    expect(
      named('NetworkPolicy', 'backup').spec.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port)),
    ).toEqual([53, 53, 5432])
    const { ingress, egress = [] } = named('NetworkPolicy', 'runner').spec
    expect(ingress).toBeUndefined()
    // Ranges that docs/platform/egress.md has a machine refuse.
    const refused = [...readFileSync('docs/platform/egress.md', 'utf8').matchAll(/^IPAddressDeny=(.*)$/gm)].flatMap(
      ([, ranges = '']) => ranges.split(' '),
    )
    const v4 = refused.filter((range) => !range.includes(':'))
    const v6 = refused.filter((range) => range.includes(':'))
    const blocks = egress.flatMap(({ to, ports }) =>
      to.flatMap(({ ipBlock }) => (ipBlock ? [{ ...ipBlock, ports }] : [])),
    )
    const wide = blocks.filter(({ cidr }) => /\/[0-8]$/.test(cidr))
    const outside = ['::/3', '4000::/2', '8000::/1']
    expect(wide).toEqual([
      { cidr: '0.0.0.0/0', except: v4, ports: undefined },
      { cidr: '2000::/3', except: v6.filter((range) => !outside.includes(range)), ports: undefined },
    ])
    expect(v6).toEqual(expect.arrayContaining(outside))
    // And one address at one port: the database.
    expect(blocks.filter((each) => !wide.includes(each)).map(({ cidr, ports }) => [cidr, ports?.length])).toEqual([
      [expect.stringMatching(/\/32$/), 1],
    ])
    const files = deployments.find(({ name }) => name === 'runner')?.pod.containers[0]?.volumeMounts
    expect(files?.find(({ name }) => name === 'files')?.readOnly).toBe(true)
  })
})
