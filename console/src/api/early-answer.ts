interface EarlyAnswer {
  address: string
  answer: Promise<Response>
}

/**
 * The answer to a request that the page sent before the console was loaded
 * (session/ask-early.ts). It is given once: later requests want a new answer.
 */
export function takeEarlyAnswer(address: string): Promise<Response> | undefined {
  const page = globalThis as { earlyAnswer?: EarlyAnswer | undefined }
  const { earlyAnswer } = page
  if (earlyAnswer?.address !== address) return undefined
  page.earlyAnswer = undefined
  return earlyAnswer.answer
}
