import { readFileSync } from 'node:fs'

/** The version of this build, and the commit that it was made of; null if the build does not say. */
export interface Build {
  version: string
  commit: string | null
}

/** What the build wrote next to the server, or into its directory if the server runs from its sources. */
const FILES = ['./version.json', '../../dist/version.json']

const readBuild = (): Build => {
  for (const file of FILES) {
    const build = readJson(file)
    if (typeof build?.version === 'string')
      return { version: build.version, commit: typeof build.commit === 'string' ? build.commit : null }
  }
  return { version: String(readJson('../../package.json')?.version), commit: null }
}

const readJson = (file: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  } catch {
    return undefined
  }
}

export const BUILD: Build = readBuild()
export const VERSION: string = BUILD.version
