import { adcsVulnerableTemplates } from './active-directory/adcs-vulnerable-templates.ts'
import { asrepRoasting } from './active-directory/asrep-roasting.ts'
import { credentialsInShares } from './active-directory/credentials-in-shares.ts'
import { excessiveAdPermissions } from './active-directory/excessive-ad-permissions.ts'
import { kerberoasting } from './active-directory/kerberoasting.ts'
import { localAdminPasswordReuse } from './active-directory/local-admin-password-reuse.ts'
import { nameResolutionPoisoning } from './active-directory/name-resolution-poisoning.ts'
import { ntlmRelay } from './active-directory/ntlm-relay.ts'
import { unconstrainedDelegation } from './active-directory/unconstrained-delegation.ts'
import { weakDomainPasswords } from './active-directory/weak-domain-passwords.ts'
import { apiDescriptionExposed } from './api/api-description-exposed.ts'
import { brokenFunctionAuthorization } from './api/broken-function-authorization.ts'
import { brokenObjectAuthorization } from './api/broken-object-authorization.ts'
import { excessiveDataExposure } from './api/excessive-data-exposure.ts'
import { jwtNotVerified } from './api/jwt-not-verified.ts'
import { massAssignment } from './api/mass-assignment.ts'
import { missingAuthentication } from './api/missing-authentication.ts'
import { missingRateLimit } from './api/missing-rate-limit.ts'
import { cloudLoggingDisabled } from './cloud/cloud-logging-disabled.ts'
import { cloudNetworkOpen } from './cloud/cloud-network-open.ts'
import { containerControlPlaneExposed } from './cloud/container-control-plane-exposed.ts'
import { excessiveCloudPermissions } from './cloud/excessive-cloud-permissions.ts'
import { longLivedCloudKeys } from './cloud/long-lived-cloud-keys.ts'
import { metadataServiceV1 } from './cloud/metadata-service-v1.ts'
import { publicStorage } from './cloud/public-storage.ts'
import type { BuiltInEntry } from './entry.ts'
import { anonymousFileShares } from './infrastructure/anonymous-file-shares.ts'
import { cleartextManagement } from './infrastructure/cleartext-management.ts'
import { defaultCredentials } from './infrastructure/default-credentials.ts'
import { emailSpoofing } from './infrastructure/email-spoofing.ts'
import { exposedManagement } from './infrastructure/exposed-management.ts'
import { missingSecurityUpdates } from './infrastructure/missing-security-updates.ts'
import { openDatabase } from './infrastructure/open-database.ts'
import { snmpDefaultCommunity } from './infrastructure/snmp-default-community.ts'
import { sshWeakAlgorithms } from './infrastructure/ssh-weak-algorithms.ts'
import { subdomainTakeover } from './infrastructure/subdomain-takeover.ts'
import { unsupportedSoftware } from './infrastructure/unsupported-software.ts'
import { mobileCertificateValidation } from './mobile/mobile-certificate-validation.ts'
import { mobileDataStorage } from './mobile/mobile-data-storage.ts'
import { mobileDebuggable } from './mobile/mobile-debuggable.ts'
import { mobileExportedComponents } from './mobile/mobile-exported-components.ts'
import { mobileHardcodedSecrets } from './mobile/mobile-hardcoded-secrets.ts'
import { mobileNoCertificatePinning } from './mobile/mobile-no-certificate-pinning.ts'
import { certificateExpired } from './tls/certificate-expired.ts'
import { certificateNotTrusted } from './tls/certificate-not-trusted.ts'
import { cleartextTransmission } from './tls/cleartext-transmission.ts'
import { hstsMissing } from './tls/hsts-missing.ts'
import { tlsLibraryFlaws } from './tls/tls-library-flaws.ts'
import { tlsObsoleteVersions } from './tls/tls-obsolete-versions.ts'
import { tlsWeakCiphers } from './tls/tls-weak-ciphers.ts'
import { tlsWeakKeyExchange } from './tls/tls-weak-key-exchange.ts'
import { clickjacking } from './web/configuration/clickjacking.ts'
import { contentSecurityPolicy } from './web/configuration/content-security-policy.ts'
import { corsMisconfiguration } from './web/configuration/cors-misconfiguration.ts'
import { debugInformation } from './web/configuration/debug-information.ts'
import { directoryListing } from './web/configuration/directory-listing.ts'
import { exposedFiles } from './web/configuration/exposed-files.ts'
import { requestSmuggling } from './web/configuration/request-smuggling.ts'
import { securityHeaders } from './web/configuration/security-headers.ts'
import { versionDisclosure } from './web/configuration/version-disclosure.ts'
import { vulnerableJavascript } from './web/configuration/vulnerable-javascript.ts'
import { insecureDeserialization } from './web/injection/insecure-deserialization.ts'
import { openRedirect } from './web/injection/open-redirect.ts'
import { osCommandInjection } from './web/injection/os-command-injection.ts'
import { pathTraversal } from './web/injection/path-traversal.ts'
import { serverSideRequestForgery } from './web/injection/server-side-request-forgery.ts'
import { sqlInjection } from './web/injection/sql-injection.ts'
import { templateInjection } from './web/injection/template-injection.ts'
import { unrestrictedFileUpload } from './web/injection/unrestricted-file-upload.ts'
import { xmlExternalEntities } from './web/injection/xml-external-entities.ts'
import { xssDom } from './web/injection/xss-dom.ts'
import { xssReflected } from './web/injection/xss-reflected.ts'
import { xssStored } from './web/injection/xss-stored.ts'
import { cookieAttributes } from './web/sessions/cookie-attributes.ts'
import { crossSiteRequestForgery } from './web/sessions/cross-site-request-forgery.ts'
import { missingSecondFactor } from './web/sessions/missing-second-factor.ts'
import { noBruteForceProtection } from './web/sessions/no-brute-force-protection.ts'
import { passwordResetPoisoning } from './web/sessions/password-reset-poisoning.ts'
import { sessionNotEnded } from './web/sessions/session-not-ended.ts'
import { userEnumeration } from './web/sessions/user-enumeration.ts'
import { weakPasswordPolicy } from './web/sessions/weak-password-policy.ts'

/** Entries that are part of the product, by area. */
export const builtInEntries: readonly BuiltInEntry[] = [
  sqlInjection,
  xssReflected,
  xssStored,
  xssDom,
  osCommandInjection,
  templateInjection,
  serverSideRequestForgery,
  xmlExternalEntities,
  pathTraversal,
  unrestrictedFileUpload,
  insecureDeserialization,
  openRedirect,
  crossSiteRequestForgery,
  sessionNotEnded,
  cookieAttributes,
  noBruteForceProtection,
  weakPasswordPolicy,
  userEnumeration,
  passwordResetPoisoning,
  missingSecondFactor,
  contentSecurityPolicy,
  clickjacking,
  securityHeaders,
  corsMisconfiguration,
  exposedFiles,
  directoryListing,
  debugInformation,
  vulnerableJavascript,
  versionDisclosure,
  requestSmuggling,
  brokenObjectAuthorization,
  brokenFunctionAuthorization,
  missingAuthentication,
  massAssignment,
  excessiveDataExposure,
  missingRateLimit,
  jwtNotVerified,
  apiDescriptionExposed,
  tlsObsoleteVersions,
  tlsWeakCiphers,
  tlsWeakKeyExchange,
  certificateNotTrusted,
  certificateExpired,
  hstsMissing,
  cleartextTransmission,
  tlsLibraryFlaws,
  defaultCredentials,
  unsupportedSoftware,
  missingSecurityUpdates,
  cleartextManagement,
  snmpDefaultCommunity,
  anonymousFileShares,
  openDatabase,
  exposedManagement,
  sshWeakAlgorithms,
  emailSpoofing,
  subdomainTakeover,
  kerberoasting,
  asrepRoasting,
  adcsVulnerableTemplates,
  ntlmRelay,
  nameResolutionPoisoning,
  unconstrainedDelegation,
  localAdminPasswordReuse,
  credentialsInShares,
  weakDomainPasswords,
  excessiveAdPermissions,
  publicStorage,
  excessiveCloudPermissions,
  longLivedCloudKeys,
  metadataServiceV1,
  cloudNetworkOpen,
  cloudLoggingDisabled,
  containerControlPlaneExposed,
  mobileDataStorage,
  mobileHardcodedSecrets,
  mobileCertificateValidation,
  mobileNoCertificatePinning,
  mobileExportedComponents,
  mobileDebuggable,
]
