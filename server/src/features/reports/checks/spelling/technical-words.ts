/**
 * Words of the trade that general dictionaries of English and German lack, in lower case. The built-in library of
 * findings is written with them.
 */
export const TECHNICAL_WORDS: ReadonlySet<string> = new Set(
  `
  allowlist allowlists backend backends backticks balancer blocklist bucket buckets checksum checksums clickjacking
  cryptographic cryptographically debuggable decrypt decrypted decrypting decrypts denylist deserialization
  deserialize desync diffie django endpoint endpoints entra etcd exfiltrate exfiltrated exfiltration exploitability
  frontend frontends fi hardcoded heartbleed hellman hostname hostnames jailbreak jailbroken kerberoasting kerberos
  keychain keystore kubelet kubernetes laravel login logins logout metadata microservice microservices middleware
  misconfiguration misconfigurations misconfigured multicast mustache namespace namespaces nginx nonce nonces
  parser parsers passkey passkeys pentest pentester pentesters pentests phishing plaintext preauthentication preload
  pre proxying pseudonymized ransomware recommender redirections repo repos rootkit runtime sandboxed sanitization
  serializer shellcode spearphishing spooler spoofing subdomain subdomains subnet subnets subresource telnet testssl
  ticketbleed timestamp timestamps tokenization trojan unauthenticated unencrypted unescaped unpatched unsanitized
  untrusted username usernames webserver webshell whitelisting wi wireshark workaround workarounds
  administratorkonten administratorkonto administratorkontos app apps blobzugriff clientauthentifizierung cloud
  dahinterliegenden dazwischenschalten debuggen delegierung delegierungen deserialisierung deserialisieren
  dokumenttypdefinition dokumenttypdefinitionen domänenadministrator domänenadministratoren domänenadministrators
  domänencontroller domänencontrollern domänencontrollers domänenkonten domänenkonto domänenkontos eingabevalidierung
  einmalpasswort einmalpasswörter einmalpasswörtern entität entitäten erratbar erratbare erratbaren exploits geleakt
  geleakte geleakten geleakter gruppenverwaltete härtungsanleitung härtungsanleitungen instanzrollen
  kontoübergreifend kryptowährung kryptowährungen köderkonto mandantengrenzen metadatendienst metadatendienste
  metadatendienstes multicastnamensauflösung objektrelationale objektrelationalen penetrationstest penetrationstester
  penetrationstests pfadtrenner phishingresistent phishingresistente präauthentifizierung rendern repositorys
  ressourcenbasiert ressourcenbasierte schwachstellenscan schwachstellenscans selbstsigniert selbstsignierte
  selbstsigniertem selbstsignierten selbstsigniertes serverseitig serverseitige serverseitigen skript skripte skripten
  skriptblock skriptblöcke supportende supportzeiträumen zertifikatdienste zertifikatregistrierung
  zertifikatspeicher zertifikatverwalter zertifikatvorlage zertifikatvorlagen
  `
    .trim()
    .split(/\s+/),
)
