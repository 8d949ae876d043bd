import { expect, test } from 'vitest'
import { maskCommand, nameOf } from './mask.ts'

test.each([
  [
    'curl -H "Authorization: Bearer abc" x',
    ['curl', '-H', 'Authorization: Bearer abc', 'x'],
    "curl -H 'Authorization: ***' x",
  ],
  ['a cookie', ['curl', '--header=Cookie: sid=1', 'x'], "curl '--header=Cookie: ***' x"],
  ['other headers', ['curl', '-H', 'Accept: text/html', 'x'], "curl -H 'Accept: text/html' x"],
  ['user and password', ['curl', '-u', 'ada:secret', 'x'], "curl -u 'ada:***' x"],
  ['attached', ['curl', '-uada:secret', 'x'], "curl '-uada:***' x"],
  ['user info in an address', ['curl', 'https://ada:p@ss@shop.example/a@b'], "curl 'https://***@shop.example/a@b'"],
  ['a URL instead of a user', ['ffuf', '-u', 'https://shop.example/FUZZ'], 'ffuf -u https://shop.example/FUZZ'],
  ['options', ['tool', '--password', 'secret', '--token=abc'], "tool --password '***' '--token=***'"],
  [
    'netexec',
    ['nxc', 'smb', '10.0.0.5', '-u', 'ada', '-p', 'secret', '-H', 'aad3b'],
    "nxc smb 10.0.0.5 -u ada -p '***' -H '***'",
  ],
  ['nmap: -p is for ports', ['nmap', '-p', '80', '10.0.0.5'], 'nmap -p 80 10.0.0.5'],
  [
    'script arguments',
    ['nmap', '--script-args', 'user=ada,password=secret'],
    "nmap --script-args 'user=ada,password=***'",
  ],
  ['keys of Sortie', ['echo', 'svc_live_abcDEF123'], "echo 'svc_live_***'"],
  ['quotes', ['echo', "it's", ''], String.raw`echo 'it'\''s' ''`],
  ['control characters', ['echo', 'a\u001b[31mb\nc'], "echo 'a [31mb c'"],
])('masks %s', (_name, command, masked) => {
  expect(maskCommand(command)).toBe(masked)
})

test('a command has at most 2,000 characters', () => {
  expect(maskCommand(['echo', 'x'.repeat(3_000)])).toHaveLength(2_000)
})

test('a program is named without its folder', () => {
  expect(['/usr/bin/nmap', String.raw`C:\tools\nmap.exe`, 'nmap'].map(nameOf)).toEqual(['nmap', 'nmap', 'nmap'])
})
