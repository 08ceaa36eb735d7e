import { createOutside } from './outside.ts'

/** For tests, whose networks are on this machine. */
export const thisMachine = createOutside({ allowsLocal: true, listed: [] })
