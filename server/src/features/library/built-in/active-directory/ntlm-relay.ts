import { entry } from '../entry.ts'

export const ntlmRelay = entry({
  key: 'ntlm-relay',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:A/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-294', 'CWE-300'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1557.001', 'T1187'],
  tags: ['active-directory', 'ntlm', 'smb', 'ldap'],
  rules: { nuclei: ['smb-signing-not-required'], nessus: [57608] },
  references: [
    'https://learn.microsoft.com/en-us/windows-server/storage/file-server/smb-signing-overview',
    'https://support.microsoft.com/en-us/topic/kb5005413-mitigating-ntlm-relay-attacks-on-active-directory-certificate-services-ad-cs-3612b773-4043-4aa9-b23d-b87910cd3429',
    'https://support.microsoft.com/en-us/topic/2020-2023-and-2024-ldap-channel-binding-and-ldap-signing-requirements-for-windows-kb4520412-ef185fb8-00f7-167d-744c-f299a66fc00a',
    'https://attack.mitre.org/techniques/T1557/001/',
    'https://cwe.mitre.org/data/definitions/294.html',
  ],
  guidance: [
    '- Confirm with `nxc smb NETWORK --gen-relay-list relay.txt`, LDAP with `nxc ldap DC -M ldap-checker`, and AD CS with the page `/certsrv/` over HTTP.',
    '- Missing signing is only half of the attack. Show one way to obtain an authentication (name resolution, coercion) if that is in scope.',
    '- Domain controllers require SMB signing by default; workstations do so since Windows 11 24H2. Isolated devices such as scanners and NAS systems are low.',
    '- Relaying to LDAP or AD CS can lead to control of the domain: raise the severity to critical if you proved it.',
  ],
  en: {
    title: 'NTLM sign-ins can be relayed (missing signing)',
    summary:
      "Servers accept sign-ins without protection against relaying. Attackers on the network can reuse another person's sign-in.",
    description: [
      'With NTLM, a client proves knowledge of the password by answering a challenge. An attacker between client and server can forward the challenge and the answer to another server, and is signed in there as the victim. Signing of messages (SMB, LDAP) and binding to the TLS connection (Extended Protection, LDAP channel binding) prevent this. The systems in the evidence do not require them.',
    ],
    impact: [
      "An attacker on the network who gets a user or computer to sign in to a system under the attacker's control can act on the affected servers with the rights of the victim. With an administrator's sign-in, this gives control of the server. If a domain controller or the certificate enrolment of AD CS is affected, it can give control of the domain.",
    ],
    reproduction: [
      '1. Determine the setting, for example with `nxc smb HOST`. The output shows `signing:False`.',
      "2. Start `ntlmrelayx.py -t smb://HOST` and make an agreed test account sign in to the tester's system.",
      '3. The sign-in is relayed, and the session on the target is open.',
    ],
    recommendation: [
      '- Require SMB signing on all servers and workstations by group policy ("Microsoft network server: Digitally sign communications (always)").',
      '- Require LDAP signing and LDAP channel binding on all domain controllers. First use events 2889 and 3039 to find affected clients.',
      '- Web enrolment of AD CS: switch it off, or require HTTPS and Extended Protection for Authentication.',
      '- Reduce NTLM: switch off NTLMv1, put privileged accounts into the group Protected Users, and restrict NTLM step by step, starting with the audit policies.',
      '- Prevent forced sign-ins: switch off LLMNR, NetBIOS name resolution and, on domain controllers, the print spooler.',
    ],
  },
  de: {
    title: 'NTLM-Anmeldungen lassen sich weiterleiten (fehlende Signierung)',
    summary:
      'Server akzeptieren Anmeldungen ohne Schutz gegen Weiterleitung. Angreifer im Netzwerk können fremde Anmeldungen für sich nutzen.',
    description: [
      'Bei NTLM weist ein Client die Kenntnis seines Passworts nach, indem er eine Aufgabe (Challenge) beantwortet. Befindet sich ein Angreifer zwischen Client und Server, kann er Aufgabe und Antwort an einen anderen Server weiterleiten und ist dort mit dem Konto des Opfers angemeldet. Die Signierung von Nachrichten (SMB, LDAP) und die Bindung an die TLS-Verbindung (Extended Protection, LDAP Channel Binding) verhindern das. Die Systeme im Nachweis verlangen sie nicht.',
    ],
    impact: [
      'Ein Angreifer im Netzwerk, der einen Benutzer oder Computer zu einer Anmeldung an einem von ihm kontrollierten System bringt, kann auf den betroffenen Servern mit den Rechten des Opfers handeln. Mit der Anmeldung eines Administrators erlangt er die Kontrolle über den Server. Ist ein Domänencontroller oder die Zertifikatregistrierung von AD CS betroffen, kann dies zur Kontrolle über die Domäne führen.',
    ],
    reproduction: [
      '1. Ermitteln Sie die Einstellung, zum Beispiel mit `nxc smb HOST`. Die Ausgabe zeigt `signing:False`.',
      '2. Starten Sie `ntlmrelayx.py -t smb://HOST` und lösen Sie die Anmeldung eines vereinbarten Testkontos am System des Testers aus.',
      '3. Die Anmeldung wird weitergeleitet, und die Sitzung auf dem Ziel ist geöffnet.',
    ],
    recommendation: [
      '- Verlangen Sie SMB-Signierung auf allen Servern und Arbeitsplätzen per Gruppenrichtlinie („Microsoft-Netzwerk (Server): Kommunikation digital signieren (immer)“).',
      '- Verlangen Sie auf allen Domänencontrollern LDAP-Signierung und LDAP Channel Binding. Werten Sie vorher die Ereignisse 2889 und 3039 aus, um betroffene Clients zu finden.',
      '- Webregistrierung von AD CS: Schalten Sie sie ab oder verlangen Sie HTTPS und Extended Protection for Authentication.',
      '- Reduzieren Sie NTLM: Schalten Sie NTLMv1 ab, nehmen Sie privilegierte Konten in die Gruppe Protected Users auf und schränken Sie NTLM mithilfe des Überwachungsmodus der Gruppenrichtlinie schrittweise ein.',
      '- Unterbinden Sie Wege, Anmeldungen auszulösen: Schalten Sie LLMNR, die NetBIOS-Namensauflösung und auf Domänencontrollern die Druckwarteschlange ab.',
    ],
  },
})
