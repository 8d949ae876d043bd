import { spawn } from 'node:child_process'

/**
 * A program of its own between the server and nmap: it runs nmap with its arguments, and does not outlive the process that
 * started it. Its input is a pipe that nobody writes to, and that ends with that process however it dies, also by SIGKILL.
 * It is started as the leader of a process group, which it ends then, itself and nmap included.
 */
const endGroup = () => process.kill(0, 'SIGKILL')

const child = spawn('nmap', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] })
process.stdin.on('error', endGroup).on('end', endGroup).resume()
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.once('close', (code) => process.exit(code ?? 1))
