import { constants } from 'node:crypto'
import { DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls'

/**
 * Excludes Diffie-Hellman over finite fields, anonymous or not. The server chooses the size of its group, up to 10,000
 * bits in OpenSSL, and one handshake with such a group blocks the thread for more than a second (finding T5).
 */
export const NO_FINITE_FIELDS = '!DH:!kDHEPSK'

/**
 * The TLS options for servers that users name. Excludes the finite-field groups of TLS 1.3 too (RFC 7919); the curves
 * here cost milliseconds. A server that requests another handshake on an open connection is refused: each would cost as
 * much as the first.
 */
export const TLS_OF_STRANGERS: SecureContextOptions = {
  ciphers: `${DEFAULT_CIPHERS}:${NO_FINITE_FIELDS}`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
