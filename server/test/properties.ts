import fastCheck from 'fast-check'

/**
 * For tests of properties that hold for any input. fast-check draws the same cases in every run, so
 * a run fails only because of a change of the code. `RANDOM_SEED` makes it draw other cases.
 */
export const seed = Number(process.env.RANDOM_SEED ?? 20_260_301)

fastCheck.configureGlobal({ seed })

export { default as fc } from 'fast-check'
