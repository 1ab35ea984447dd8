#!/usr/bin/env node
import { readEnvironment } from './config.ts'
import { run } from './run.ts'
import { makeTerminal } from './terminal.ts'

const { stdout: out, stderr: err, stdin: input } = process
process.exitCode = await run(process.argv.slice(2), { out, err }, (isJson) =>
  makeTerminal(readEnvironment(), isJson, { out, err, input }),
)
