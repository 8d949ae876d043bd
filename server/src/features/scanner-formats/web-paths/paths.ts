import { canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { webPathSighting } from '../../inventory/sightings/web-sightings.ts'
import { type ReadOptions, UnreadableFile } from '../registry/format.ts'

/** What tools for content discovery state about a path, under whatever name. */
export interface FoundPath {
  url: unknown
  method?: unknown
  status?: unknown
  length?: unknown
  words?: unknown
  lines?: unknown
  contentType?: unknown
  /** The destination of a redirect. */
  location?: unknown
  /** The page that links to it. */
  source?: unknown
}

/** @throws InvalidSighting if the URL is not one of http or https */
export const pathSighting = ({ status, length, words, lines, ...found }: FoundPath): Sighting =>
  webPathSighting({
    ...found,
    status: cleanNumber(status),
    length: cleanNumber(length),
    words: cleanNumber(words),
    lines: cleanNumber(lines),
  })

/** The address to which the paths of a file belong, if its lines name no host. */
export class BaseUrl {
  readonly #base: URL | undefined

  constructor({ baseUrl }: ReadOptions) {
    this.#base = baseUrl === undefined ? undefined : canonicalUrl(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  }

  /**
   * The whole address of a path as written. It never leaves the host of the base.
   *
   * @throws UnreadableFile without a base, since no line of the file can be read then
   */
  join(written: string): string {
    if (/^https?:\/\//i.test(written)) return written
    if (!this.#base)
      throw new UnreadableFile(
        'its lines name no host: import the file again with the address that was tested, baseUrl=https://host/',
      )
    const url = canonicalUrl(this.#base.href + written.replace(/^\/+/, ''))
    if (url?.host !== this.#base.host) throw new InvalidSighting('is not a path')
    return url.href
  }
}
