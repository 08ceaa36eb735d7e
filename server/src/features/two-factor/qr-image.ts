import { generateURI } from 'otplib'
import { renderSVG } from 'uqr'

/** How authenticator apps name the service. */
const issuer = 'LoRa fleet console'

/** The address that an authenticator app reads from the image (Google's "Key Uri Format"). */
export function otpauthUri(email: string, secret: string): string {
  return generateURI({ strategy: 'totp', issuer, label: email, secret })
}

/**
 * The text as a QR code, in SVG. Nothing of the text gets into the markup, only the squares that
 * encode it. The border of 4 is the quiet zone that ISO/IEC 18004 asks for.
 */
export function drawQrImage(text: string): string {
  return renderSVG(text, { border: 4 })
}
