import { entry } from '../entry.ts'

export const localAdminPasswordReuse = entry({
  key: 'local-admin-password-reuse',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:H/I:H/A:N',
  cwe: ['CWE-1391'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1078.003', 'T1550.002'],
  tags: ['active-directory', 'windows', 'passwords'],
  rules: {},
  references: [
    'https://learn.microsoft.com/en-us/windows-server/identity/laps/laps-overview',
    'https://learn.microsoft.com/en-us/troubleshoot/windows-server/windows-security/user-account-control-and-remote-restriction',
    'https://attack.mitre.org/techniques/T1550/002/',
    'https://cwe.mitre.org/data/definitions/1391.html',
  ],
  guidance: [
    '- Compare password hashes of local accounts from at least two systems, or test one hash against a few agreed systems.',
    '- Windows refuses remote administration with local accounts other than the built-in administrator (RID 500) unless `LocalAccountTokenFilterPolicy` is set. State which applies.',
    '- Check images, deployment files and task sequences for the password too.',
  ],
  en: {
    title: 'Local administrator password is reused across systems',
    summary:
      'Several Windows systems share the password of a local administrator. Control of one system gives control of all of them.',
    description: [
      'The local administrator account has the same password on the systems in the evidence, usually because they were installed from the same image. Windows stores the password as a hash that can be used for signing in over the network without knowing the password (pass the hash).',
    ],
    impact: [
      'An attacker with administrative rights on one of the systems can read the hash there and sign in with it to all other systems with the same password. From there, the attacker obtains data and credentials of further users, often including domain administrators. Ransomware spreads in this way.',
    ],
    reproduction: [
      '1. Read the hash of the local administrator on a first system.',
      '2. Sign in with it to a second system, for example with `nxc smb HOST -u Administrator -H HASH --local-auth`.',
      '3. The sign-in succeeds.',
    ],
    recommendation: [
      '- Introduce Windows LAPS. It gives each local administrator a random password of its own, changes it regularly and stores it protected in Active Directory or Entra ID.',
      '- Deny local accounts access over the network by group policy ("Deny access to this computer from the network" for "Local account and member of Administrators group").',
      '- Block connections between workstations (SMB, RDP, WinRM) with the Windows firewall.',
      '- Remove passwords from images and deployment files.',
    ],
  },
  de: {
    title: 'Gleiches Passwort für lokale Administratoren',
    summary:
      'Mehrere Windows-Systeme verwenden dasselbe Passwort für einen lokalen Administrator. Wer ein System kontrolliert, kontrolliert alle.',
    description: [
      'Das lokale Administratorkonto hat auf den Systemen im Nachweis dasselbe Passwort, meist weil sie mit demselben Image installiert wurden. Windows speichert das Passwort als Hash, der sich ohne Kenntnis des Passworts für die Anmeldung über das Netzwerk verwenden lässt (Pass the Hash).',
    ],
    impact: [
      'Ein Angreifer mit administrativen Rechten auf einem der Systeme kann dort den Hash auslesen und sich damit an allen anderen Systemen mit demselben Passwort anmelden. Er erhält Daten und Anmeldedaten weiterer Benutzer und gelangt so häufig bis zu Domänenadministratoren. Auf diesem Weg breitet sich auch Ransomware aus.',
    ],
    reproduction: [
      '1. Lesen Sie auf einem ersten System den Hash des lokalen Administrators aus.',
      '2. Melden Sie sich damit an einem zweiten System an, zum Beispiel mit `nxc smb HOST -u Administrator -H HASH --local-auth`.',
      '3. Die Anmeldung gelingt.',
    ],
    recommendation: [
      '- Führen Sie Windows LAPS ein. Es gibt jedem lokalen Administrator ein eigenes zufälliges Passwort, ändert es regelmäßig und speichert es geschützt in Active Directory oder Entra ID.',
      '- Verweigern Sie lokalen Konten den Zugriff über das Netzwerk per Gruppenrichtlinie („Zugriff vom Netzwerk auf diesen Computer verweigern“ für „Lokales Konto und Mitglied der Gruppe Administratoren“).',
      '- Sperren Sie Verbindungen zwischen Arbeitsplätzen (SMB, RDP, WinRM) mit der Windows-Firewall.',
      '- Entfernen Sie Passwörter aus Images und Bereitstellungsdateien.',
    ],
  },
})
