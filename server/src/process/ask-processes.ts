import cluster, { type Worker } from 'node:cluster'

/** Milliseconds for an answer. A process that is busy for longer is left out. */
const patience = 2000

interface Question {
  question: number
}

interface Answer {
  answerTo: number
  answer: unknown
}

let lastQuestion = 0

/** In a process that shares the port: answers what the first process asks. */
export function answerFirstProcess(read: () => unknown): void {
  process.on('message', (message: Partial<Question>) => {
    if (message.question === undefined) return
    process.send?.({ answerTo: message.question, answer: read() } satisfies Answer)
  })
}

/** In the first process: the answers of those that share the port, by `server-<number>`. */
export async function askProcesses<T>(): Promise<Record<string, T>> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  const answers = await Promise.all(workers.map((worker) => ask<T>(worker)))
  return Object.fromEntries(answers.filter((each) => each !== undefined))
}

function ask<T>(worker: Worker): Promise<[string, T] | undefined> {
  if (!worker.isConnected()) return Promise.resolve(undefined)
  lastQuestion += 1
  const question = lastQuestion
  return new Promise((resolve) => {
    const finish = (answer: [string, T] | undefined) => {
      clearTimeout(timer)
      worker.off('message', hear)
      resolve(answer)
    }
    const hear = (message: Partial<Answer>) => {
      if (message.answerTo === question) finish([`server-${worker.id}`, message.answer as T])
    }
    const timer = setTimeout(finish, patience, undefined)
    worker.on('message', hear)
    worker.send({ question } satisfies Question, (error) => error && finish(undefined))
  })
}
