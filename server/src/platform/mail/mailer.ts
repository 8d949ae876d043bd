import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { SafeMode } from '../safe-mode/safe-mode.ts'

export interface MailMessage {
  /** Constant over all attempts, so that receivers recognise a repetition. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mails to a mail server, or writes them as files if none is configured. */
export interface Mailer {
  /** The destination of mails, for the log. */
  description: string
  /**
   * @returns the destination of the mail, for the log. @throws if the server refused it; ApiError CONFLICT in safe mode
   */
  send(message: MailMessage): Promise<string>
  close(): void
}

/** How long a mail server may be silent, in milliseconds; parameters of `SMTP_URL` of the same names override these. */
export interface MailTimeouts {
  /** For all of connecting, from the look-up of its name on. */
  connectionTimeout: number
  /** For its first line, and for STARTTLS. */
  greetingTimeout: number
  /** After that, between any two answers. */
  socketTimeout: number
}

const TIMEOUTS: MailTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** In safe mode it sends nothing, and writes no mail to a file. */
export const createMailer = (
  { SMTP_URL, MAIL_FROM, DATA_DIR }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>,
  { requireLive }: Pick<SafeMode, 'requireLive'>,
  timeouts = TIMEOUTS,
): Mailer => {
  const mailer = SMTP_URL
    ? smtpMailer(SMTP_URL, MAIL_FROM, timeouts)
    : fileMailer(path.join(DATA_DIR, 'mail'), MAIL_FROM)
  return {
    ...mailer,
    send: async (message) => {
      await requireLive()
      return mailer.send(message)
    },
  }
}

const smtpMailer = (url: string, from: string, timeouts: MailTimeouts): Mailer => {
  const { host } = new URL(url)
  const transport = createTransport({ url, ...timeouts }, { from, disableFileAccess: true, disableUrlAccess: true })
  // The `send` call of an unsent mail reports the error itself.
  transport.on('error', () => undefined)
  return {
    description: `mails go to the mail server ${host}`,
    send: async (message) => {
      await transport.sendMail(message)
      return host
    },
    close: () => transport.close(),
  }
}

const fileMailer = (directory: string, from: string): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from })
  transport.on('error', () => undefined)
  return {
    description: `SMTP_URL is not set: each mail is written to a file in ${directory}`,
    send: async (message) => {
      const { text, html, ...envelope } = message
      const alternatives = [part('text/plain', text), part('text/html', html)]
      const { message: bytes } = await transport.sendMail({ ...envelope, alternatives })
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${message.messageId.replace(/[^a-z0-9_]+/gi, '-').slice(0, 60)}`
      const file = path.join(directory, `${name}.eml`)
      writeFileSync(`${file}.part`, bytes as Buffer, { mode: 0o600 })
      renameSync(`${file}.part`, file)
      return file
    },
    close: () => undefined,
  }
}

/** A part without transfer encoding: a reader of the file sees the text, with the link in one piece. */
const part = (type: string, content: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`,
})
