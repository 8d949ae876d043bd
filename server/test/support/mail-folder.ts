import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** The mails of a server without `SMTP_URL`, which writes each to a file; any number of processes may read them. */
export class MailFolder {
  readonly #directory: string
  readonly #parsed = new Map<string, Email>()

  /** @param dataDir the data directory of the server */
  constructor(dataDir: string) {
    this.#directory = path.join(dataDir, 'mail')
  }

  /** The newest mail to an address that is as wanted. */
  async newest(recipient: string, isWanted: (mail: Email) => boolean): Promise<Email | undefined> {
    return (await this.to(recipient)).findLast(isWanted)
  }

  /** All mails to an address, oldest first. */
  async to(recipient: string): Promise<Email[]> {
    return (await this.#read()).filter((mail) => mail.to?.some(({ address }) => address === recipient))
  }

  /** All mails, oldest first. */
  async #read(): Promise<Email[]> {
    const files = existsSync(this.#directory) ? readdirSync(this.#directory).filter((name) => name.endsWith('.eml')) : []
    for (const name of files) {
      if (!this.#parsed.has(name)) this.#parsed.set(name, await PostalMime.parse(readFileSync(path.join(this.#directory, name))))
    }
    return files.toSorted().map((name) => this.#parsed.get(name) as Email)
  }
}
