import type { FastifyInstance } from 'fastify'

export function demoPages(_server: FastifyInstance) {}
