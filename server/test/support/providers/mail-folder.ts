import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** The mails of a server without `SMTP_URL`, which writes each to a file; any number of processes may read them. */
export class MailFolder {
  readonly #directory: string
  readonly #raw = new Map<string, Buffer>()
  readonly #parsed = new Map<string, Email>()

  /** @param dataDir the data directory of the server */
  constructor(dataDir: string) {
    this.#directory = path.join(dataDir, 'mail')
  }

  /** The newest mail to an address that `isWanted` accepts. */
  async newest(recipient: string, isWanted: (mail: Email) => boolean): Promise<Email | undefined> {
    return (await this.to(recipient)).findLast(isWanted)
  }

  /** All mails to an address, oldest first. */
  async to(recipient: string): Promise<Email[]> {
    const mails = await Promise.all(this.#naming(recipient).map((name) => this.#parse(name)))
    return mails.filter((mail) => mail.to?.some(({ address }) => address === recipient))
  }

  /** Mails that contain an address anywhere, oldest first: the many others need not be parsed. */
  #naming(address: string): string[] {
    const files = existsSync(this.#directory)
      ? readdirSync(this.#directory).filter((name) => name.endsWith('.eml'))
      : []
    for (const name of files)
      if (!this.#raw.has(name)) this.#raw.set(name, readFileSync(path.join(this.#directory, name)))
    return files.toSorted().filter((name) => this.#raw.get(name)?.includes(address))
  }

  async #parse(name: string): Promise<Email> {
    const mail = this.#parsed.get(name) ?? (await PostalMime.parse(this.#raw.get(name) as Buffer))
    this.#parsed.set(name, mail)
    return mail
  }
}
