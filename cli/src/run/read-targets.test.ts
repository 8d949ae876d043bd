import { expect, test } from 'vitest'
import { expandRange, toReached } from './reached.ts'
import { readTargets } from './read-targets.ts'
import { findTool } from './tools.ts'

const read = (line: string) => {
  const words = line.split(' ')
  const found = findTool(words.slice(0, 2))
  if (!found) throw new Error(`${line}: no such tool`)
  return readTargets(found.tool, words.slice(found.at + 1))
}

test.each([
  ['nmap -sV -p 80,443 -oX - 10.0.0.5 shop.example', ['10.0.0.5', 'shop.example']],
  ['nmap -p80 -T4 --script http-title 10.0.0.0/24 -Pn', ['10.0.0.0/24']],
  ['sudo nmap -sS 10.0.0.5', ['10.0.0.5']],
  ['nmap -sI 10.0.0.9 10.0.0.5', ['10.0.0.9', '10.0.0.5']],
  ['masscan -p1-65535 --rate 1000 10.0.0.0/24', ['10.0.0.0/24']],
  ['naabu -host 10.0.0.5,10.0.0.6 -p 80', ['10.0.0.5', '10.0.0.6']],
  ['httpx -u shop.example -title', ['shop.example']],
  ['nuclei -target=https://shop.example -severity high', ['https://shop.example']],
  ['ffuf -u https://shop.example/FUZZ -w words.txt -mc 200', ['https://shop.example/FUZZ']],
  ['feroxbuster --url https://shop.example -x php', ['https://shop.example']],
  ['gobuster dir -u https://shop.example -w words.txt', ['https://shop.example']],
  ['sqlmap -u https://shop.example/?id=1 --batch', ['https://shop.example/?id=1']],
  ['nikto -h shop.example -p 8443', ['http://shop.example']],
  ['testssl.sh --jsonfile a.json shop.example:443', ['shop.example:443']],
  ['wpscan --url https://shop.example --api-token x', ['https://shop.example']],
  ['nxc smb 10.0.0.0/28 -u ada -p x', ['10.0.0.0/28']],
  ['curl -sSo out.html -XPOST -d a=b https://shop.example/x', ['https://shop.example/x']],
  ['curl -sk --max-time 5 10.0.0.5 -x http://10.0.0.8:3128', ['http://10.0.0.8:3128', 'http://10.0.0.5']],
])('%s', (line, targets) => {
  const found = read(line)
  expect(found.problems).toEqual([])
  expect(found.targets).toEqual(targets)
})

test.each([
  'nmap -iR 100',
  'nmap --resume scan.log',
  'nmap -iL -',
  'nmap -iL /dev/stdin',
  'nmap -iL /no/such/file',
  'nmap shop.example/24',
  'nmap --script=targets-asn --script-args=newtargets 10.0.0.5',
  'masscan -c scan.conf',
  'naabu -p 80',
  'sqlmap -r request.txt',
  'curl -K options',
  'curl --connect-to shop.example:443:10.0.0.9:443 https://shop.example',
  'ffuf -request request.txt',
])('%s is not clear', (line) => {
  expect(read(line).problems).not.toEqual([])
})

test.each([
  ['10.0.0.5', [{ address: '10.0.0.5' }]],
  ['10.0.0.6/31', [{ address: '10.0.0.6' }, { address: '10.0.0.7' }]],
  ['2001:db8::fffe/127', [{ address: '2001:db8::fffe' }, { address: '2001:db8::ffff' }]],
  ['shop.example', [{ host: 'shop.example' }]],
  ['shop.example:8443', [{ host: 'shop.example', port: 8443 }]],
  ['https://shop.example/a', [{ host: 'shop.example', port: 443, protocol: 'https' }]],
  ['http://[2001:db8::1]:8080/', [{ address: '2001:db8::1', port: 8080, protocol: 'http' }]],
  ['10.0.0.1:53/udp', [{ address: '10.0.0.1', port: 53 }]],
])('%s is logged as', (target, entries) => {
  expect(toReached(target)).toEqual(entries)
})

test('ranges are expanded, names with a hyphen are not', () => {
  expect(expandRange('10.0.0.254-255')).toEqual(['10.0.0.254', '10.0.0.255'])
  expect(expandRange('10.0.0.255-10.0.1.1')).toEqual(['10.0.0.255', '10.0.1.0', '10.0.1.1'])
  expect(expandRange('my-shop.example')).toEqual(['my-shop.example'])
})

test('a network of more than 65,536 addresses is refused', () => {
  expect(toReached('10.0.0.0/16')).toHaveLength(65_536)
  expect(() => toReached('10.0.0.0/15')).toThrow('run it in parts')
  expect(() => toReached('2001:db8::/64')).toThrow('run it in parts')
})
