import { spawn } from 'node:child_process'

/**
 * A separate program between the server and nmap. It runs nmap with its arguments, and must not outlive the process
 * that started it. Its stdin is a pipe without input that closes when that process ends, even by SIGKILL. It starts a
 * process group, and then kills that group, including itself and nmap.
 */
const endGroup = () => process.kill(0, 'SIGKILL')

const child = spawn('nmap', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] })
process.stdin.on('error', endGroup).on('end', endGroup).resume()
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.once('close', (code) => process.exit(code ?? 1))
