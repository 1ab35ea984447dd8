// The training mix. Every set that ships in a model is licensed for it (models/README.md names source and licence).

export interface Mix {
  /** How often a written question is seen per epoch. */
  written: number
  sets: Record<string, { most: number; repeat: number }>
}

const whole = { most: 1_000_000, repeat: 1 }

export function readMix(): Mix {
  return {
    written: 3,
    sets: {
      aitqa: whole,
      covid_faq_rank: whole,
      covidfaq_jhu_rank: whole,
      covidqa_biomed: whole,
      docs_headings: { most: 30_000, repeat: 1 },
      fetaqa_table: whole,
      hybridqa_passages: { most: 2500, repeat: 1 },
      nq_oracle: { most: 1_000_000, repeat: 2 },
      orsharc_rank: whole,
      policyqa: whole,
      pubmedqa_qa_rank: { most: 2000, repeat: 1 },
      selqa_rank: whole,
      sharc_reading: whole,
      sharc_trees_rank: whole,
      squad_small: { most: 1_000_000, repeat: 2 },
      stackfaq_rank: { most: 1_000_000, repeat: 2 },
      tatqa: whole,
      timeqa_human: { most: 1500, repeat: 1 },
      wikitablequestions: { most: 3000, repeat: 1 },
    },
  }
}
