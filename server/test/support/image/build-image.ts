import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const NAME = 'localhost/sortie:test'

export const dockerfile = (): string => readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')

/** The base that the Dockerfile names, with its release of Debian. @throws if it names none */
export const baseOf = (text: string): { name: string; node: string; debian: string } => {
  const [, name, node, debian] =
    /^ARG BASE=(docker\.io\/library\/node:(\d+\.\d+\.\d+)-([a-z]+)-slim)$/m.exec(text) ?? []
  if (name === undefined || node === undefined || debian === undefined) throw new Error('the Dockerfile names no base')
  return { name, node, debian }
}

/** The parts of an image's configuration that tests read. */
interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Volumes: Record<string, unknown>
  Labels: Record<string, string>
  WorkingDir: string
  Healthcheck: { Test: string[] }
}

export interface Image {
  /** Its mounted root file system. */
  root: string
  config: ImageConfig
  /** Bytes of its layers as a registry stores them. */
  compressedBytes: number
  remove(): void
}

/**
 * Debian as its slim image has it, with the pinned Node and this machine's npm, and certificates of this machine so that
 * npm reaches the registry as it does here. Kept between runs: making it downloads about 40 MB.
 */
const makeBase = (directory: string, debian: string): string => {
  const cached = path.resolve(ROOT, 'node_modules/.cache', `sortie-debian-${debian}`)
  if (!existsSync(path.join(cached, 'etc/debian_version'))) {
    rmSync(cached, { recursive: true, force: true })
    execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', debian, cached], { stdio: 'ignore' })
  }
  const base = path.join(directory, 'base')
  execFileSync('cp', ['-a', cached, base])
  rmSync(path.join(base, 'var/cache/apt/archives'), { recursive: true, force: true })
  mkdirSync(path.join(base, 'usr/local/lib/node_modules'), { recursive: true })
  copyFileSync(
    path.join(ROOT, `node_modules/node-linux-${process.arch}/bin/node`),
    path.join(base, 'usr/local/bin/node'),
  )
  const npm = path.join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm')
  cpSync(npm, path.join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(base, 'usr/local/bin', name))
  const certificates = 'etc/ssl/certs/ca-certificates.crt'
  if (existsSync(`/${certificates}`)) copyFileSync(`/${certificates}`, path.join(base, certificates))
  mkdirSync(path.join(base, 'usr/local/etc'), { recursive: true })
  writeFileSync(path.join(base, 'usr/local/etc/npmrc'), `cafile=/${certificates}\n`)
  return base
}

/** Builds the Dockerfile of this checkout, without an engine and as root. Takes two to four minutes. */
export const buildImage = async (sourceCommit: string): Promise<Image> => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-image-'))
  const store = ['--root', path.join(directory, 'storage'), '--runroot', path.join(directory, 'run')]
  // A machine whose own file system is an overlay has no second one on it.
  const driver = ['overlay', 'vfs'].find(
    (each) => spawnSync('buildah', ['--storage-driver', each, ...store, 'images'], { stdio: 'ignore' }).status === 0,
  )
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: driver ?? 'vfs' }
  const buildah = async (...args: string[]): Promise<string> => {
    const options = { cwd: ROOT, env, maxBuffer: 2 ** 28 }
    return (await promisify(execFile)('buildah', [...store, ...args], options)).stdout.trim()
  }
  const remove = () => {
    spawnSync('buildah', [...store, 'umount', '--all'], { env })
    spawnSync('umount', ['--recursive', path.join(directory, 'storage', env.STORAGE_DRIVER)], { stdio: 'ignore' })
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const { name, debian } = baseOf(dockerfile())
    const container = await buildah('from', 'scratch')
    await buildah('add', '--quiet', container, makeBase(directory, debian), '/')
    await buildah('commit', '--quiet', '--rm', container, name)
    rmSync(path.join(directory, 'base'), { recursive: true, force: true })
    // Health checks are a property of images in Docker's format.
    const format = ['--pull-never', '--format', 'docker', '--build-arg', `SOURCE_COMMIT=${sourceCommit}`]
    await buildah('build', ...format, '--tag', NAME, '.')
    const pushed = path.join(directory, 'pushed')
    await buildah('push', '--quiet', NAME, `dir:${pushed}`)
    const layers = readdirSync(pushed).filter((file) => /^[0-9a-f]{64}$/.test(file))
    const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', NAME)) as {
      Docker: { config: ImageConfig }
    }
    const root = await buildah('mount', await buildah('from', '--pull-never', NAME))
    const compressedBytes = layers.reduce((sum, file) => sum + statSync(path.join(pushed, file)).size, 0)
    return { root, config: Docker.config, compressedBytes, remove }
  } catch (error) {
    remove()
    throw error
  }
}
