import { entry } from '../entry.ts'

export const nameResolutionPoisoning = entry({
  key: 'name-resolution-poisoning',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:A/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cwe: ['CWE-290', 'CWE-300'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1557.001'],
  tags: ['active-directory', 'network', 'ntlm'],
  rules: {},
  references: [
    'https://attack.mitre.org/techniques/T1557/001/',
    'https://learn.microsoft.com/en-us/troubleshoot/windows-server/networking/disable-netbios-tcp-ip-using-dhcp',
    'https://cwe.mitre.org/data/definitions/300.html',
  ],
  guidance: [
    '- Run Responder in analysis mode first (`-A`): it answers nothing and shows how many queries there are.',
    '- Active answers can disturb users. Agree on the time, and limit it to test devices where possible.',
    '- Queries without captured data are a finding with a lower severity. Captured hashes, and above all cracked or relayed ones, prove the impact.',
    '- mDNS and IPv6 router or DHCPv6 messages (mitm6) allow the same: list what was observed.',
  ],
  en: {
    title: 'Name resolution on the local network can be spoofed (LLMNR, NBT-NS, mDNS)',
    summary:
      'If DNS cannot resolve a name, Windows systems ask all devices on the network. Attackers can answer and receive credentials.',
    description: [
      'If DNS cannot resolve a name, Windows asks all devices on the local network with the protocols LLMNR, NetBIOS Name Service or mDNS. Any device can answer. The client then connects to the device that answered and signs in there automatically as the user. Typing errors, old shortcuts and automatic searches cause such queries, for example for a proxy (WPAD).',
    ],
    impact: [
      'An attacker on the same network segment receives the NTLM responses of users. The attacker can try passwords against them offline, or relay the sign-in to other servers, and gains access with the rights of those users.',
    ],
    reproduction: [
      '1. Run `responder -I INTERFACE -A` in the network segment and observe the queries.',
      '2. With consent, answer a query of a test system. It sends the NTLM response of the signed-in user.',
    ],
    recommendation: [
      '- Switch off LLMNR by group policy ("Turn off multicast name resolution").',
      '- Switch off NetBIOS over TCP/IP on all network adapters, for example by DHCP option 001 (Microsoft vendor options) or a script.',
      '- Switch off mDNS where it is not required, and automatic proxy detection (WPAD) if no proxy is used in this way.',
      '- Protect networks against forged IPv6 messages (RA Guard, DHCPv6 Guard) if IPv6 is not managed.',
      '- Require SMB and LDAP signing, so that intercepted sign-ins cannot be relayed.',
    ],
  },
  de: {
    title: 'Antworten auf Namensanfragen im lokalen Netz lassen sich fälschen',
    summary:
      'Windows-Systeme fragen alle Geräte im Netzwerk nach Namen, die der Namensserver nicht kennt. Angreifer können antworten und erhalten Anmeldedaten.',
    description: [
      'Lässt sich ein Name nicht per DNS auflösen, fragt Windows mit den Protokollen LLMNR, NetBIOS Name Service oder mDNS alle Geräte im lokalen Netz. Jedes Gerät kann antworten. Der Client verbindet sich dann mit dem antwortenden Gerät und meldet sich dort automatisch mit den Daten des Benutzers an. Solche Anfragen entstehen durch Tippfehler, alte Verknüpfungen und automatische Suchen, zum Beispiel nach einem Proxy (WPAD).',
    ],
    impact: [
      'Ein Angreifer im selben Netzwerksegment empfängt NTLM-Antworten von Benutzern. Er kann daran auf eigenen Rechnern Passwörter ausprobieren oder die Anmeldung an andere Server weiterleiten und so mit den Rechten der Benutzer Zugang erlangen.',
    ],
    reproduction: [
      '1. Führen Sie im Netzwerksegment `responder -I INTERFACE -A` aus und beobachten Sie die Anfragen.',
      '2. Beantworten Sie mit Einverständnis die Anfrage eines Testsystems. Es sendet die NTLM-Antwort des angemeldeten Benutzers.',
    ],
    recommendation: [
      '- Schalten Sie LLMNR per Gruppenrichtlinie ab („Multicastnamensauflösung deaktivieren“).',
      '- Schalten Sie NetBIOS über TCP/IP auf allen Netzwerkadaptern ab, zum Beispiel über die DHCP-Option 001 (Microsoft-Herstelleroptionen) oder ein Skript.',
      '- Schalten Sie mDNS ab, wo es nicht benötigt wird, ebenso die automatische Proxy-Erkennung (WPAD), wenn kein Proxy auf diesem Weg genutzt wird.',
      '- Schützen Sie Netze gegen gefälschte IPv6-Nachrichten (RA Guard, DHCPv6 Guard), wenn IPv6 nicht verwaltet wird.',
      '- Verlangen Sie SMB- und LDAP-Signierung, damit sich abgefangene Anmeldungen nicht weiterleiten lassen.',
    ],
  },
})
