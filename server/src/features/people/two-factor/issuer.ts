/** The name of the service in authenticator apps, and where passkeys are kept. */
export const issuer = 'LoRa fleet console'
