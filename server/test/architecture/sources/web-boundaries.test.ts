import { describe, expect, test } from 'vitest'
import { WEB_LAYERS } from '../../../src/app/layers.ts'
import { circlesIn, readSources, type Source, sourceOf, violations } from '../../support/sources/imports.ts'

const web = readSources('web/src')

/** `web/src/shell/live/refresh.ts` → `shell`; `web/src/paths.ts` → `paths.ts` */
const layerOf = (file: string): string | undefined => /^web\/src\/([^/]+)/.exec(file)?.[1]

const featureOf = (file: string): string | undefined => /^web\/src\/features\/([^/]+)\//.exec(file)?.[1]

const upward = (sources: Source[]): string[] =>
  violations(sources, (target, { file }) => {
    const [from, to] = [layerOf(file) ?? '', layerOf(target)]
    const allowed = WEB_LAYERS[from]
    return allowed !== undefined && to !== undefined && to !== from && !allowed.includes(to)
  })

const betweenFeatures = (sources: Source[]): string[] =>
  violations(
    sources,
    (target, { file }) =>
      featureOf(file) !== undefined && featureOf(target) !== undefined && featureOf(file) !== featureOf(target),
  )

const withRouterOrApi = (sources: Source[]): string[] =>
  violations(
    sources.filter(({ file }) => layerOf(file) === 'ui'),
    (target) => /^@tanstack\/react-router|^(?:client|contract)\//.test(target),
  )

/** Circles of imports, types and lazy pages included. */
const circles = (sources: Source[]): string[] =>
  circlesIn(new Map(sources.map(({ file, imports }) => [file, imports.map(({ target }) => target)])))

describe('the web interface', () => {
  test('is found whole, and its imports resolve to files', () => {
    expect(web.length).toBeGreaterThanOrEqual(550)
    expect(web.reduce((sum, { imports }) => sum + imports.length, 0)).toBeGreaterThanOrEqual(4_000)
    const files = new Set(web.map(({ file }) => file))
    expect(violations(web, (target) => /^web\/.*\.tsx?$/.test(target) && !files.has(target))).toEqual([])
  })

  test('imports the contract, the client and itself', () => {
    expect(violations(web, (target) => /^(?:server|embedded-postgres|e2e|scripts|bench)\//.test(target))).toEqual([])
  })

  test('imports from lower layers only: the shell imports no feature, and features not each other', () => {
    expect(
      [...new Set(web.map(({ file }) => layerOf(file)))].filter((layer) => !layer?.includes('.')).toSorted(),
    ).toEqual(Object.keys(WEB_LAYERS).toSorted())
    expect(upward(web)).toEqual([])
    expect(betweenFeatures(web)).toEqual([])
  })

  test('has addresses that import nothing, because the shell reaches those of the features by paths.ts', () => {
    const addresses = web.filter(({ file }) => file.endsWith('.paths.ts'))
    expect(addresses.length).toBeGreaterThanOrEqual(20)
    expect(violations(addresses, () => true)).toEqual([])
    expect(violations(web, (target, { file }) => file === 'web/src/paths.ts' && !target.endsWith('.paths.ts'))).toEqual(
      [],
    )
  })

  test('has parts in ui that know neither the router nor the API', () => {
    expect(withRouterOrApi(web)).toEqual([])
  })

  test('writes days and times in one way, that of dates.ts', () => {
    const others = web.filter(
      ({ file, text }) =>
        file !== 'web/src/ui/dates/dates.ts' && /\bDateTimeFormat\([^)]|toLocale(?:Date|Time)?String\(\)/.test(text),
    )
    expect(others.map(({ file }) => file)).toEqual([])
  })

  test('asks for days and times with the fields of dates/, which write them as the account chose', () => {
    const native = web.filter(({ text }) =>
      /\btype(?:=|: )\{?["'](?:date|time|datetime-local|month|week)["']/.test(text),
    )
    expect(native.map(({ file }) => file)).toEqual([])
    expect(
      web.filter(({ imports }) => imports.some(({ target }) => target === 'web/src/ui/dates/DateField.tsx')).length,
    ).toBeGreaterThanOrEqual(15)
  })

  test('imports in no circles, types and lazy pages included', () => {
    expect(circles(web)).toEqual([])
  })
})

describe('the rules of the web interface', () => {
  const bad = (file: string, ...imports: string[]): Source[] => [sourceOf(`web/src/${file}`, imports.join('\n'))]
  const lazily = (file: string) => `const page = () => import('${file}')`

  test('find a shell that imports a feature, statically, as a type, lazily or through the list of features', () => {
    expect(
      upward(bad('shell/layout/Shell.tsx', "import { days } from '../../features/engagements/days.ts'")),
    ).toHaveLength(1)
    expect(
      upward(bad('shell/layout/Shell.tsx', "import type { Days } from '../../features/engagements/days.ts'")),
    ).toHaveLength(1)
    expect(upward(bad('shell/layout/Shell.tsx', lazily('../../features/wiki/Page.tsx')))).toHaveLength(1)
    expect(upward(bad('shell/layout/Shell.tsx', "import { FEATURES } from '../../features.ts'"))).toHaveLength(1)
  })

  test('find a feature that imports another, and a part of ui that imports the router, the client or the domain', () => {
    expect(betweenFeatures(bad('features/wiki/Page.tsx', "import { x } from '../tasks/labels.ts'"))).toHaveLength(1)
    expect(withRouterOrApi(bad('ui/Text.tsx', "import { Link } from '@tanstack/react-router'"))).toHaveLength(1)
    expect(withRouterOrApi(bad('ui/Text.tsx', "import type { Output } from '@sortie/client/calls.ts'"))).toHaveLength(1)
    expect(upward(bad('ui/Text.tsx', "import { SeverityLabel } from '../domain/SeverityLabel.tsx'"))).toHaveLength(1)
  })

  test('find a circle of types, and one of lazy pages', () => {
    const page = bad('features/wiki/Page.tsx', "import { Part } from './Part.tsx'")
    expect(
      circles([...page, ...bad('features/wiki/Part.tsx', "import type { Props } from './Page.tsx'")]),
    ).toHaveLength(1)
    expect(circles([...page, ...bad('features/wiki/Part.tsx', lazily('./Page.tsx'))])).toHaveLength(1)
  })
})
