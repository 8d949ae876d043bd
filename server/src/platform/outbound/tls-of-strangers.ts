import { constants } from 'node:crypto'
import { DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls'

/**
 * Leaves out Diffie-Hellman over finite fields, anonymous or not. The server chooses the size of its group, up to 10,000 bits in
 * OpenSSL, and one handshake with such a group blocks the thread for more than a second (finding S5).
 */
export const NO_FINITE_FIELDS = '!DH:!kDHEPSK'

/**
 * What TLS clients offer to servers that people name. TLS 1.3 has groups of finite fields too (RFC 7919), which are left out;
 * the curves here cost milliseconds. A server that asks for another handshake on an open connection is refused: each would cost
 * as much as the first.
 */
export const TLS_OF_STRANGERS: SecureContextOptions = {
  ciphers: `${DEFAULT_CIPHERS}:${NO_FINITE_FIELDS}`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
