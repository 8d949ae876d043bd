import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf, GROUPS } from '../../support/sources/features.ts'
import { circlesIn, readSources, resolveImport, type Source, violations } from '../../support/sources/imports.ts'

const contract = readSources('contract/src')
const client = readSources('client').filter(({ file }) => file.includes('src/'))
const cli = readSources('cli/src')
const embedded = readSources('embedded-postgres/src')
const embeddedTests = readSources('embedded-postgres/test')
const server = readSources('server/src')
const web = readSources('web').filter(({ file }) => file.startsWith('web/src/'))
const tests = readSources('server/test')
/** Sources that run in Node. */
const ours = [...contract, ...client, ...cli, ...embedded, ...server, ...embeddedTests, ...tests]
const all = [...ours, ...web]

const isTest = ({ file }: Source) => file.endsWith('.test.ts')
const product = server
const isGenerated = ({ file }: Source) => file.endsWith('.gen.ts')

/**
 * `features/organizations/members/members.queries.ts` → ['members', 'queries']; files without a role are helpers of
 * their feature.
 */
const featureOf = (file: string): [name: string, role: string] | undefined => {
  const match =
    /^server\/src\/features\/((?:[^/]+\/)+)[^/]+?(?:\.(feature|routes|service|queries|jobs|emails))?\.ts$/.exec(file)
  if (!match) return undefined
  const folders = (match[1] as string).split('/').filter(Boolean)
  return [(GROUPS.includes(folders[0] as string) && folders[1]) || (folders[0] as string), match[2] ?? 'helper']
}

describe('the sources', () => {
  test('are all found, and their imports resolve to existing files', () => {
    expect(contract.length).toBeGreaterThanOrEqual(10)
    expect(product.length).toBeGreaterThanOrEqual(65)
    expect(all.reduce((sum, { imports }) => sum + imports.length, 0)).toBeGreaterThanOrEqual(350)
    const files = new Set(all.map(({ file }) => file))
    const isOurs = (target: string) =>
      /^(?:contract|client|cli|embedded-postgres|server|web)\/(?:src|test)\/.*\.tsx?$/.test(target)
    const dangling = violations(ours, (target) => isOurs(target) && !files.has(target))
    expect(dangling).toEqual([])
  })

  test('have at most 400 lines each, tests 600, and in the product mostly fewer than 150', () => {
    const tooLong = all.filter(
      (source) => !isGenerated(source) && source.lines > (source.file.includes('/test/') ? 600 : 400),
    )
    expect(tooLong.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
    const long = product.filter((source) => !isGenerated(source) && source.lines > 150)
    expect(long.length / product.length).toBeLessThan(0.2)
  })

  test('name their extension in every relative import', () => {
    expect(
      violations(
        ours,
        (target, { file }) =>
          target.startsWith(path.dirname(file).split('/')[0] as string) && !/\.(?:tsx?|json|mjs)$/.test(target),
      ),
    ).toEqual([])
  })

  test('export nothing by default and re-export nothing', () => {
    const offenders = ours.filter(
      ({ text, file }) => /^export default\b/m.test(text) && !file.endsWith('global-setup.ts'),
    )
    expect(offenders.map(({ file }) => file)).toEqual([])
    expect(all.filter(({ text }) => /^export (?:\*|type \*) from/m.test(text)).map(({ file }) => file)).toEqual([])
  })

  test('import in no circles', () => {
    expect(cycles([...contract, ...client, ...cli, ...embedded, ...product])).toEqual([])
  })

  test('skip no test, and leave nothing unfinished', () => {
    expect(all.filter(isTest).length).toBeGreaterThanOrEqual(10)
    const skipped = /\b(?:test|it|describe)\.(?:skip|only|todo)\b/
    const undone = new RegExp(`\\b(?:${['TODO', 'FIXME', 'XXX'].join('|')})\\b`)
    // The others read placeholders of SysReptor, and marks in texts of reports.
    const naming =
      /(?:sources\/boundaries\.test|transfer\/formats\/sysreptor|library\/library-import\.test|reports\/(?:reports|checks\/words|report-checks(?:-prepared)?\.test)|report-renders\/editions\.poppler\.test|report-changes)\.ts$/
    const others = all.filter(({ file }) => !naming.test(file))
    expect(others.filter(({ text }) => skipped.test(text) || undone.test(text)).map(({ file }) => file)).toEqual([])
  })
})

/** Circles of files in the imports that remain at run time. */
const cycles = (sources: Source[]): string[] => {
  const atRunTime = (source: Source) =>
    [...source.text.matchAll(/(?:^|\n)import (?!type\b)([^'"`;]*?)\s*from\s*'([^']+)'/g)]
      .filter(([, names]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test((names as string).trim()))
      .map(([, , specifier]) => resolveImport(source.file, specifier as string))
  return circlesIn(new Map(sources.map((source) => [source.file, atRunTime(source)])))
}

describe('allowed imports between sources', () => {
  test('the contract imports TypeBox, the calculator of CVSS scores and itself', () => {
    expect(
      violations(
        contract.filter((source) => !isTest(source)),
        (target) => target !== 'typebox' && target !== 'ae-cvss-calculator' && !target.startsWith('contract/src/'),
      ),
    ).toEqual([])
  })

  test('the client imports the contract and itself', () => {
    expect(
      violations(
        client.filter((source) => !isTest(source)),
        (target) => !/^(?:contract\/src\/|client\/)/.test(target),
      ),
    ).toEqual([])
  })

  test('the command line imports Node, the client, itself and the rules of scope and hours, so that its one file needs nothing else', () => {
    expect(cli.length).toBeGreaterThanOrEqual(20)
    const allowed =
      /^(?:node:[\w/]+|virtual:contract|client\/src\/.*|cli\/src\/.*|server\/src\/features\/(?:scope\/rules\/[\w-]+|engagements\/details\/testing-hours)\.ts)$/
    expect(
      violations(
        cli.filter((source) => !isTest(source)),
        (target, { file }) => !allowed.test(target) && !(file.endsWith('.d.ts') && target.startsWith('client/')),
      ),
    ).toEqual([])
  })

  test('the embedded Postgres imports Node, pg, tar-stream and itself, and nothing of the product', () => {
    expect(embedded.length).toBeGreaterThanOrEqual(8)
    const allowed = /^(?:node:[\w/]+|pg|tar-stream|embedded-postgres\/src\/.*)$/
    expect(violations(embedded, (target) => !allowed.test(target))).toEqual([])
    expect(violations(embeddedTests, (target) => /^(?:contract|client|server|web)\//.test(target))).toEqual([])
  })

  test('the platform imports endpoints, lists, errors, scopes and common values of the contract, and no feature', () => {
    const platform = product.filter(({ file }) => file.startsWith('server/src/platform/'))
    expect(platform.length).toBeGreaterThanOrEqual(25)
    expect(
      violations(platform, (target) => target.startsWith('server/src/') && !target.startsWith('server/src/platform/')),
    ).toEqual([])
    const allowed = /^contract\/src\/core\/(?:endpoint|lists|pasted-lines|errors|scopes|values)\.ts$/
    const documents = /\/openapi[^/]*\.ts$/
    expect(
      violations(
        platform,
        (target, { file }) => target.startsWith('contract/') && !allowed.test(target) && !documents.test(file),
      ),
    ).toEqual([])
  })

  test('only the process and the tests import app.ts, and nothing imports tests', () => {
    expect(
      violations(
        product,
        (target, { file }) =>
          target === 'server/src/app/app.ts' && !/^server\/src\/(?:app|process|operator|published)\//.test(file),
      ),
    ).toEqual([])
    expect(
      violations(product, (target) => target.startsWith('server/test/support/') || target.endsWith('.test.ts')),
    ).toEqual([])
    expect(violations(product, (target) => target === 'vitest')).toEqual([])
  })

  const features = product.filter(({ file }) => featureOf(file))
  const withRole = (...roles: string[]) => features.filter(({ file }) => roles.includes(featureOf(file)?.[1] as string))

  test('queries import only the platform, and other queries of their own feature', () => {
    expect(withRole('queries').length).toBeGreaterThanOrEqual(9)
    const forbidden = violations(withRole('queries').map(withoutTypes), (target, { file }) => {
      const [feature] = featureOf(file) as [string, string]
      const other = featureOf(target)
      // Severities and the fields of results are those of the inventory.
      if (other?.[0] === 'inventory' && other[1] === 'helper') return false
      if (other) return other[0] !== feature || other[1] === 'service' || other[1] === 'routes'
      return /^server\/src\/platform\/(?:http|auth|jobs|mail)\//.test(target) || target === 'fastify'
    })
    expect(forbidden).toEqual([])
  })

  /** The source with only the imports that remain at run time. */
  function withoutTypes(source: Source): Source {
    const types = source.text.split('\n').filter((line) => line.startsWith('import type '))
    return {
      ...source,
      imports: source.imports.filter(({ specifier }) => !types.some((line) => line.includes(`'${specifier}'`))),
    }
  }

  test('services import neither routes nor HTTP, and features import only services of each other, except for reading', () => {
    expect(
      violations(
        withRole('service', 'helper'),
        (target) => featureOf(target)?.[1] === 'routes' || target === 'fastify',
      ),
    ).toEqual([])
    const http = violations(withRole('service'), (target) =>
      /^server\/src\/platform\/http\/(?!server\/address)/.test(target),
    )
    expect(http).toEqual([])
    // What services and jobs get from the platform says nothing about HTTP.
    expect(
      violations(
        product.filter(({ file }) => file === 'server/src/platform/context.ts'),
        (target) => target.startsWith('server/src/platform/http/') || target === 'fastify',
      ),
    ).toEqual([])
    // Objects of many features have files, and those features mount the routes of files.
    const shared = 'server/src/features/files/files.routes.ts'
    expect(
      violations(
        features,
        (target, { file }) =>
          target !== shared && featureOf(target)?.[1] === 'routes' && featureOf(file)?.[0] !== featureOf(target)?.[0],
      ),
    ).toEqual([])
  })

  /**
   * Tables with a second writer: the last-seen times of members are buffered in memory, and written for all of them at
   * once. Sources write results and their observations through the inventory, people through the feature results.
   */
  const SHARED_TABLES = [
    'memberships: members, sessions',
    'observations: inventory, results',
    'results: inventory, results',
  ]

  test("of another feature's queries only those that read or lock are used; its service changes its rows", () => {
    const used = features.flatMap(({ file, text }) =>
      [...text.matchAll(/\nimport (?!type\b)(.*?) from '(\.[^']*\.queries\.ts)'/g)]
        .filter(([, , specifier]) => {
          const used = featureOf(resolveImport(file, specifier as string))
          return used !== undefined && used[0] !== featureOf(file)?.[0]
        })
        .flatMap(([, names]) =>
          (names as string)
            .replace(/[{}]/g, '')
            .split(',')
            .map((name) => ({ file, name: name.trim() })),
        ),
    )
    expect(used.length).toBeGreaterThanOrEqual(5)
    expect(
      used
        .filter(({ name }) => !/^(?:type |(?:find|get|list|count|lock|consume|summarize)[A-Z])|List$/.test(name))
        .map(({ name }) => name)
        .sort(),
    ).toEqual([])
  })

  test('a table is written only by the queries of one feature', () => {
    const writers = new Map<string, Set<string>>()
    for (const { file, text } of features) {
      const written =
        /(?:insertInto|updateTable|deleteFrom)\('(\w+)(?: as \w+)?'\)|\b(?:insert into|update|delete from) (\w+) (?:\w+ )?set\b|\binsert into (\w+)\b|\bdelete from (\w+)\b/g
      for (const match of text.matchAll(written)) {
        const table = (match[1] ?? match[2] ?? match[3] ?? match[4]) as string
        writers.set(table, (writers.get(table) ?? new Set()).add((featureOf(file) as [string, string])[0]))
      }
    }
    expect(writers.size).toBeGreaterThanOrEqual(8)
    const shared = [...writers]
      .filter(([, by]) => by.size > 1)
      .map(([table, by]) => `${table}: ${[...by].toSorted().join(', ')}`)
    expect(shared.toSorted()).toEqual(SHARED_TABLES)
  })
})

describe('features', () => {
  test('are each named by app.ts', () => {
    const values = server.filter(({ file }) => file.endsWith('.feature.ts')).map(({ file }) => file)
    const named = server.find(({ file }) => file === 'server/src/app/app.ts')?.imports.map(({ target }) => target) ?? []
    expect(values.length).toBeGreaterThanOrEqual(20)
    expect(values.filter((file) => !named.includes(file))).toEqual([])
    const roots = new Set(values.map(folderOf))
    const withRoutes = server.filter(
      ({ file }) => folderOf(file) !== undefined && /\.(?:routes|jobs|emails)\.ts$/.test(file),
    )
    expect(withRoutes.filter(({ file }) => !roots.has(folderOf(file))).map(({ file }) => file)).toEqual([])
  })
})

describe('operations that only listed places may do', () => {
  const users = (pattern: RegExp, sources = [...product, ...embedded]) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

  test('only environment.ts reads the environment', () => {
    expect(users(/process\.env\b/)).toEqual(['server/src/platform/config/environment.ts'])
  })

  test('I9: no SQL is concatenated from texts: raw SQL is for fixed words only', () => {
    // Definitions have no parameters: policies are built from names in the catalogue of Postgres and of this program.
    // Nor do replication commands, where the slot of a backup is named by the number of its process, and `create
    // database`. A backup names tables and columns, as Postgres quotes them. A scope is entered in the message that
    // starts the transaction, which has no parameters: the driver escapes its value.
    const exempt = [
      'server/src/platform/database/scope/tenant-scope.ts',
      'server/src/platform/database/scope/row-level-security.ts',
      'server/src/operator/backup/dump/dump-tables.ts',
      'server/src/operator/backup/load/load-tables.ts',
      'server/src/operator/backup/load/restore-target.ts',
      'embedded-postgres/src/backup/base-backup.ts',
      'embedded-postgres/src/postgres.ts',
    ]
    expect(
      users(/sql\.(?:raw|lit)\b|sql`[^`]*`\s*\+|\.query\(`[^`]*\$\{/).filter((file) => !exempt.includes(file)),
    ).toEqual([])
  })

  test('P4: no source writes to the console, and secrets come from the system’s random numbers', () => {
    const commands = /^server\/src\/operator\/cli\.ts$/
    expect(users(/\bconsole\.\w+\(/).filter((file) => !commands.test(file))).toEqual([])
    const random = users(/Math\.random\(\)/)
    expect(random.filter((file) => file !== 'server/src/platform/database/transaction.ts')).toEqual([])
  })

  test('O2: only the modules listed here remove and rename files: those of STORAGE_PATH only platform/files, which checks whose they are', () => {
    const removing = /\b(?:rm|rmdir|unlink|rename|truncate)(?:Sync)?\b[^;]*? from 'node:fs(?:\/promises)?'/
    expect(users(removing, product).toSorted()).toEqual([
      // A separate directory for nmap's output.
      'server/src/features/scans/scanners/nmap/nmap-process.ts',
      // An unfinished backup, old backups of its own, and an empty storage that a restore fills.
      'server/src/operator/backup/dump/dump-files.ts',
      'server/src/operator/backup/dump/portable-backup.ts',
      'server/src/operator/backup/load/load-files.ts',
      'server/src/operator/backup/rotation.ts',
      // The file that tests a directory; a file just received; its mark; guarded by `isOwnStorage`: deleted rows, and
      // the cleaning. Copies of objects of a bucket, below DATA_DIR.
      'server/src/platform/files/directory/directory-storage.ts',
      'server/src/platform/files/directory/notes.ts',
      'server/src/platform/files/directory/probe-directory.ts',
      'server/src/platform/files/directory/receive.ts',
      'server/src/platform/files/directory/stored-files.ts',
      'server/src/platform/files/s3/bucket-storage.ts',
      // A mail that becomes a file gets its name when it is complete.
      'server/src/platform/mail/mailer.ts',
    ])
    expect(
      product
        .filter(({ imports }) =>
          imports.some(({ target }) => target === 'server/src/platform/files/directory/stored-files.ts'),
        )
        .map(({ file }) => file),
    ).toEqual([
      'server/src/operator/backup/dump/dump-files.ts',
      'server/src/platform/files/directory/directory-storage.ts',
    ])
    // Behind the interface of both kinds of storage.
    expect(users(/\.(?:quarantine|emptyQuarantine|putBack)\(/, product)).toEqual([
      'server/src/features/files/storage/cleaning.service.ts',
    ])
  })

  test('nothing is evaluated, and no shell is started', () => {
    expect(users(/\beval\(|new Function\(|\bexecSync\(|\bexec\('|shell: true|insecureHTTPParser/)).toEqual([])
  })
})
