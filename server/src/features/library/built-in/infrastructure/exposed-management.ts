import { entry } from '../entry.ts'

export const exposedManagement = entry({
  key: 'exposed-management',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L',
  cwe: ['CWE-668'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-CONF-05'],
  attack: ['T1133', 'T1110'],
  tags: ['infrastructure', 'network'],
  rules: { nessus: [57690, 58453] },
  references: [
    'https://www.cisa.gov/news-events/directives/binding-operational-directive-23-02',
    'https://learn.microsoft.com/en-us/windows-server/remote/remote-desktop-services/remotepc/remote-desktop-allow-access',
    'https://cwe.mitre.org/data/definitions/668.html',
  ],
  guidance: [
    '- Check from the internet, not from an address that the firewall allows.',
    '- Remote access that is intended and protected (VPN, SSH with keys only, bastion host) is not a finding.',
    '- For RDP, note whether Network Level Authentication is required, which versions are used, and whether the name of the host and the domain are shown.',
    '- Interfaces with a known critical vulnerability or with weak passwords need separate findings.',
  ],
  en: {
    title: 'Administrative services are accessible from untrusted networks',
    summary:
      'Administrative services can be reached by anyone. Attackers can guess passwords and exploit vulnerabilities.',
    description: [
      'The affected systems offer administrative services, such as Remote Desktop (RDP), SSH, VNC or the web interfaces of devices, to networks that do not need them. The evidence lists them together with weaknesses in their configuration, for example missing Network Level Authentication.',
    ],
    impact: [
      'Attackers find such services automatically. They try leaked and common passwords, and exploit new vulnerabilities within hours of publication. After a successful attack, they usually have extensive rights. Many ransomware attacks begin this way.',
    ],
    reproduction: [
      '1. Connect to the affected port from the network that the evidence names.',
      '2. The service answers and offers a sign-in.',
    ],
    recommendation: [
      '- Make administrative services accessible only from an administration network or through a VPN with a second factor.',
      '- Restrict the source addresses in the firewall where a VPN is not possible.',
      '- RDP: require Network Level Authentication and TLS. SSH: allow keys only (`PasswordAuthentication no`).',
      '- Monitor sign-ins, and lock accounts or sources after repeated failures.',
      '- Check regularly from outside which services are accessible.',
    ],
  },
  de: {
    title: 'Administrative Dienste sind aus nicht vertrauenswürdigen Netzen erreichbar',
    summary:
      'Dienste zur Administration sind für alle erreichbar. Angreifer können dort Passwörter erraten und Schwachstellen ausnutzen.',
    description: [
      'Die betroffenen Systeme bieten Dienste zur Administration wie Remote Desktop (RDP), SSH, VNC oder Weboberflächen von Geräten in Netzen an, aus denen keine Administration nötig ist. Der Nachweis führt sie mitsamt Schwächen ihrer Konfiguration auf, zum Beispiel fehlender Network Level Authentication.',
    ],
    impact: [
      'Angreifer finden solche Dienste automatisiert. Sie probieren bekannte und naheliegende Passwörter aus und nutzen neue Schwachstellen binnen Stunden nach deren Veröffentlichung. Nach einem erfolgreichen Angriff verfügen sie meist über weitreichende Rechte. Viele Angriffe mit Ransomware beginnen auf diesem Weg.',
    ],
    reproduction: [
      '1. Verbinden Sie sich aus dem im Nachweis genannten Netz mit dem betroffenen Port.',
      '2. Der Dienst antwortet und bietet eine Anmeldung an.',
    ],
    recommendation: [
      '- Machen Sie administrative Dienste nur aus einem Administrationsnetz oder über ein VPN mit zweitem Faktor erreichbar.',
      '- Beschränken Sie die Quelladressen in der Firewall, wo ein VPN nicht möglich ist.',
      '- RDP: Verlangen Sie Network Level Authentication und TLS. SSH: Erlauben Sie nur Schlüssel (`PasswordAuthentication no`).',
      '- Überwachen Sie Anmeldungen und sperren Sie Konten oder Quellen nach wiederholten Fehlversuchen.',
      '- Prüfen Sie regelmäßig von außen, welche Dienste erreichbar sind.',
    ],
  },
})
