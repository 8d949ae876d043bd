import { entry } from '../entry.ts'

export const adcsVulnerableTemplates = entry({
  key: 'adcs-vulnerable-templates',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H',
  cwe: ['CWE-269', 'CWE-295'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1649'],
  tags: ['active-directory', 'certificates'],
  rules: {},
  references: [
    'https://attack.mitre.org/techniques/T1649/',
    'https://learn.microsoft.com/en-us/defender-for-identity/security-posture-assessments/certificates',
    'https://posts.specterops.io/certified-pre-owned-d95910965cd2',
    'https://cwe.mitre.org/data/definitions/269.html',
  ],
  guidance: [
    "- List templates with `certipy find -vulnerable` and check by hand: a group of the tester's account may enrol, no manager approval is required, the template has a purpose that permits sign-in, and the request supplies the subject (ESC1); also, any purpose (ESC2), enrolment agent (ESC3), writable template (ESC4), or the CA flag `EDITF_ATTRIBUTESUBJECTALTNAME2` (ESC6).",
    '- Strong certificate mapping on domain controllers (KB5014754, full enforcement) stops some variants, but not ESC1 with the SID of the target account in the request.',
    '- Prove it with an agreed account. Note serial numbers of issued certificates and have them revoked.',
    '- Certificates stay valid after a password change: state this in the report.',
  ],
  en: {
    title: 'Certificate templates allow accounts to be taken over (AD CS)',
    summary:
      'Ordinary users can obtain certificates that let them sign in as any domain user, including administrators.',
    description: [
      "The domain's certification authority (Active Directory Certificate Services) issues certificates from templates. At least one template is configured so that users with few rights can obtain a certificate for another account, for example because the applicant chooses the name in the certificate. Domain controllers accept the certificate for sign-in. The evidence names the templates and settings.",
    ],
    impact: [
      'An attacker with any domain account can act as an domain administrator and control all systems and data in it. The certificate remains valid for a long time, even if the password of the account is changed.',
    ],
    reproduction: [
      '1. List the templates, for example with `certipy find -u USER@DOMAIN -vulnerable`.',
      '2. Request a certificate for an agreed account with the template from the evidence.',
      '3. Sign in with the certificate. The domain controller issues a ticket for that account.',
    ],
    recommendation: [
      '- Clear the option "Supply in the request" for the subject name in the affected templates, or require approval by a certificate manager.',
      '- Limit enrolment to the groups that need the template, and write permissions on templates to administrators of the certification authority.',
      '- Remove purposes that permit sign-in (client authentication, any purpose) where they are not required, and retire unused templates.',
      '- Remove the flag `EDITF_ATTRIBUTESUBJECTALTNAME2` from the certification authority if it is set.',
      '- Check issued certificates for names that differ from the applicant, and revoke them. Treat the certification authority like a domain controller.',
    ],
  },
  de: {
    title: 'Zertifikatvorlagen ermöglichen die Übernahme von Konten (AD CS)',
    summary:
      'Gewöhnliche Benutzer können Zertifikate erlangen, mit denen sie sich als beliebige Benutzer der Domäne anmelden, auch als Administratoren.',
    description: [
      'Die Zertifizierungsstelle der Domäne (Active Directory-Zertifikatdienste) stellt Zertifikate nach Vorlagen aus. Mindestens eine Vorlage ist so konfiguriert, dass Benutzer mit wenigen Rechten ein Zertifikat für ein anderes Konto erlangen können, zum Beispiel weil der Antragsteller den Namen im Zertifikat selbst wählt. Domänencontroller akzeptieren das Zertifikat für die Anmeldung. Der Nachweis nennt die Vorlagen und Einstellungen.',
    ],
    impact: [
      'Ein Angreifer mit einem beliebigen Domänenkonto kann als Domänenadministrator handeln und damit alle Systeme und Daten darin kontrollieren. Das Zertifikat bleibt lange gültig, auch nachdem das Passwort des Kontos geändert wurde.',
    ],
    reproduction: [
      '1. Listen Sie die Vorlagen auf, zum Beispiel mit `certipy find -u USER@DOMAIN -vulnerable`.',
      '2. Beantragen Sie mit der Vorlage aus dem Nachweis ein Zertifikat für ein vereinbartes Konto.',
      '3. Melden Sie sich mit dem Zertifikat an. Der Domänencontroller stellt ein Ticket für dieses Konto aus.',
    ],
    recommendation: [
      '- Schalten Sie in den betroffenen Vorlagen für den Antragstellernamen die Option „Informationen werden in der Anforderung angegeben“ ab oder verlangen Sie die Genehmigung durch einen Zertifikatverwalter.',
      '- Beschränken Sie die Registrierung auf die Gruppen, die die Vorlage benötigen, und Schreibrechte an Vorlagen auf Administratoren der Zertifizierungsstelle.',
      '- Entfernen Sie Verwendungszwecke, die eine Anmeldung erlauben (Clientauthentifizierung, alle Zwecke), wo sie nicht benötigt werden, und ziehen Sie ungenutzte Vorlagen zurück.',
      '- Entfernen Sie das Flag `EDITF_ATTRIBUTESUBJECTALTNAME2` von der Zertifizierungsstelle, falls es gesetzt ist.',
      '- Prüfen Sie ausgestellte Zertifikate auf Namen, die vom Antragsteller abweichen, und sperren Sie diese. Behandeln Sie die Zertifizierungsstelle wie einen Domänencontroller.',
    ],
  },
})
