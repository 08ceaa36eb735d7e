/** Of one catalogue. Pictures and the like are neither read nor counted, except in the size of an archive. */
export const mostFiles = 30_000
/** Bytes of a file. */
export const longestFile = 512 * 1024
/** Bytes of all files together, unpacked. */
export const mostText = 64 * 1024 * 1024
