import { entry } from '../entry.ts'

export const jwtNotVerified = entry({
  key: 'jwt-not-verified',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-347'],
  owasp: ['API2:2023', 'A02:2021', 'A04:2025'],
  wstg: ['WSTG-SESS-01'],
  attack: ['T1606'],
  tags: ['api', 'web', 'authentication', 'jwt'],
  rules: { burp: [0x00200900, 0x00200901, 0x00200902, 0x00200903, 0x00200904, 0x00200905], zap: ['40036'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc8725',
    'https://portswigger.net/web-security/jwt',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  guidance: [
    '- Change a claim without updating the signature, and try `alg: none`, a key of your own in the header (`jwk`, `jku`), a switch from RS256 to HS256 with the public key as the secret, and common secrets.',
    '- Check that the changed claim has an effect. Some services read claims only for display.',
    "- ZAP's rule covers several weaknesses, including weak secrets and missing checks. Read the details of the alert.",
    '- Also check `exp`, `aud` and `iss`, and report them here with a lower severity if the signature is verified.',
  ],
  en: {
    title: 'Signature of access tokens is not verified (JWT)',
    summary: 'The application accepts access tokens that users have changed. Attackers can sign in as any user.',
    description: [
      'The application identifies users by JSON Web Tokens (JWT). It does not verify the signature correctly, or the key for it can be guessed or chosen by the sender. The evidence shows which manipulated token the application accepted.',
    ],
    impact: [
      'Attackers can create tokens with any content. They can act as any user, including administrators, without a password or another factor.',
    ],
    reproduction: [
      '1. Take a valid token of a test account and change the claim from the evidence.',
      '2. Sign the token as described in the evidence, or remove the signature.',
      '3. Send a request with the changed token. The server treats it as a request of the user in the token.',
    ],
    recommendation: [
      '- Verify tokens with a maintained library, and give it the expected algorithm explicitly. Do not take it from the token, and reject `none`.',
      '- Use keys from your own configuration or from a fixed address only, and ignore `jwk`, `jku`, `x5u` and `x5c` in the header of the token.',
      '- For HMAC, use a random key of at least 256 bits. Replace keys that could be guessed.',
      '- Check issuer (`iss`), recipient (`aud`) and lifetime (`exp`, `nbf`) of every token.',
    ],
  },
  de: {
    title: 'Signatur von Zugriffstoken wird nicht geprüft (JWT)',
    summary:
      'Die Anwendung akzeptiert von Benutzern veränderte Zugriffstoken. Angreifer können sich als beliebige Benutzer anmelden.',
    description: [
      'Die Anwendung erkennt Benutzer an JSON Web Tokens (JWT). Sie prüft die Signatur nicht korrekt, oder der Schlüssel dafür lässt sich erraten oder vom Absender wählen. Der Nachweis zeigt, welches manipulierte Token die Anwendung akzeptiert hat.',
    ],
    impact: [
      'Angreifer können Token mit beliebigem Inhalt erzeugen. Sie können im Namen jedes Benutzers einschließlich der Administratoren handeln, ohne Passwörter oder weitere Faktoren zu kennen.',
    ],
    reproduction: [
      '1. Nehmen Sie ein gültiges Token eines Testkontos und ändern Sie die Angabe (Claim) aus dem Nachweis.',
      '2. Signieren Sie das Token wie im Nachweis beschrieben oder entfernen Sie die Signatur.',
      '3. Senden Sie eine Anfrage mit dem veränderten Token. Der Server antwortet wie für den im Token genannten Benutzer.',
    ],
    recommendation: [
      '- Prüfen Sie Token mit einer gepflegten Bibliothek und geben Sie ihr das erwartete Verfahren ausdrücklich vor. Entnehmen Sie es nicht dem Token und weisen Sie `none` ab.',
      '- Verwenden Sie nur Schlüssel aus der eigenen Konfiguration oder von einer festen Adresse und ignorieren Sie `jwk`, `jku`, `x5u` und `x5c` im Header des Tokens.',
      '- Verwenden Sie für HMAC einen zufälligen Schlüssel mit mindestens 256 Bit. Ersetzen Sie erratbare Schlüssel.',
      '- Prüfen Sie bei jedem Token Aussteller (`iss`), Empfänger (`aud`) und Gültigkeit (`exp`, `nbf`).',
    ],
  },
})
