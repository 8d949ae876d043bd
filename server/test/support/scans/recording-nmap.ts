import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from '../app/server-process.ts'

/** How the program was started. */
export interface Recorded {
  args: string[]
  env: Record<string, string>
  cwd: string
  files: string[]
  /** Its open files, except for its input and outputs. */
  handles: string[]
}

/** `answers`, or never ends: idle, writing, starting processes, or using memory. */
export type Manner = 'answers' | 'hangs' | 'writes' | 'forks' | 'grows'

/** The port that it reports as open on its last address; it reports nothing about others. */
export const FOUND_PORT = 4444

/** In `programs` of a server: a replacement of nmap that records how it was started. */
export const recordingNmap = (stage: Stage) => {
  const directory = stage.directory()
  const program = path.join(directory, 'nmap')
  const [manner, record] = [path.join(directory, 'manner'), path.join(directory, 'record')]
  writeFileSync(program, `#!${process.execPath}\n${SOURCE}`)
  chmodSync(program, 0o755)
  writeFileSync(record, '')
  writeFileSync(manner, 'answers')
  return {
    directory,
    behave: (word: Manner) => writeFileSync(manner, word),
    recorded: (): Recorded[] =>
      readFileSync(record, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}

const SECONDS = 617
/** The process that it starts when it forks, as `ps` shows it. */
export const STARTED_BY_IT = `sleep ${SECONDS}`

const SOURCE = `
const fs = require('node:fs')
const path = require('node:path')
const { spawn } = require('node:child_process')
const args = process.argv.slice(2)
if (args[0] === '--version') process.exit(0)
const link = (name) => { try { return fs.readlinkSync('/proc/self/fd/' + name) } catch { return 'closed' } }
const handles = fs.readdirSync('/proc/self/fd').filter((name) => Number(name) > 2).map(link)
const own = { args, env: process.env, cwd: process.cwd(), files: fs.readdirSync('.'), handles }
fs.appendFileSync(path.join(__dirname, 'record'), JSON.stringify(own) + '\\n')
const found = '<ports><port protocol="tcp" portid="${FOUND_PORT}"><state state="open"/><service name="x"/></port></ports>'
const host = '<host><status state="up"/><address addr="' + args.at(-1) + '" addrtype="ipv4"/>' + found + '</host>'
process.stdout.write('<?xml version="1.0"?><nmaprun scanner="nmap" version="7.95">' + host)
const manner = fs.readFileSync(path.join(__dirname, 'manner'), 'utf8')
const kept = []
if (manner === 'answers') process.stdout.write('</nmaprun>')
else setInterval(() => undefined, 1000)
if (manner === 'writes') {
  const more = () => process.stdout.write('<!-- ' + 'x'.repeat(65536) + ' -->', more)
  more()
}
if (manner === 'forks') for (let count = 0; count < 60; count++) spawn('sleep', ['${SECONDS}'], { stdio: 'inherit' })
if (manner === 'grows') for (let count = 0; count < 20; count++) kept.push(Buffer.alloc(64 * 1024 * 1024, 1))
`
