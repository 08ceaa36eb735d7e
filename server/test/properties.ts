import fastCheck from 'fast-check'

/**
 * For tests of what holds for any input: fast-check, which draws the same cases at every run, so
 * that a run fails for what was changed and nothing else. `RANDOM_SEED` makes it draw others.
 */
export const seed = Number(process.env.RANDOM_SEED ?? 20_260_301)

fastCheck.configureGlobal({ seed })

export { default as fc } from 'fast-check'
