import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { findPassedSteps, passStep } from './organization-queries.ts'

/** The steps of the console's first hour, in their order. */
const steps = ['network', 'devices', 'uplinks', 'dashboard', 'alerts', 'people'] as const

const message = `The step must be one of ${steps.join(', ')}.`
const step = z.enum(steps, { error: message })

const firstSteps = z.object(withExamples({ passed: z.array(z.string()) }, { passed: ['network'] }))
const answer = z.object({ data: firstSteps.meta({ id: 'FirstSteps' }) })

export const showFirstSteps = endpoint({
  summary: 'Which of the first steps the members of the organization have passed over',
  answer,
  async handle({ caller }, { db }) {
    return { data: { passed: await findPassedSteps(db, caller.organizationId) } }
  },
})

export const passFirstStep = endpoint({
  summary: 'Passes over one of the first steps, for all members of the organization',
  description:
    'Whether a step is done shows in what is there: accounts, devices, uplinks, rules, members.',
  body: z.object(withExamples({ step }, { step: 'network' })),
  answer,
  change: 'untold',
  async handle({ body, caller }, { db }) {
    return { data: { passed: await passStep(db, caller.organizationId, body.step) } }
  },
})
