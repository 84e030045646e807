export const HELP = `cairn [PROMPT...]        runs an agent on the folder and prints its answer; standard input is added to the prompt

  -a, --agent NAME                    the agent that answers; coder without it
  -r, --role NAME                     how it behaves; %code% gives only code, %shell% one command for your shell
      --skill NAME                    a skill that is loaded from the start; as often as needed
      --variable NAME=VALUE           of the agent; as often as needed
  -m, --model PROVIDER:MODEL          the model, for example openai:gpt-5 or demo:tour (scripted, needs no key)
      --effort LEVEL                  how long the model thinks: none, minimal, low, medium, high, xhigh or max
  -s, --session [NAME]                goes on with the session of that name or id, or makes it; alone: the newest
  -f, --file FILE|URL                 a file, a picture or a page that goes with the prompt; as often as needed
  -C, --cwd DIR                       the folder to work on; the current one without it
      --config-dir DIR                Cairn's own folder; ~/.config/cairn without it
      --approve ask|edits|all|none    what is done without asking: ask on a terminal, none elsewhere
      --trust                         reads what the folder says to agents: AGENTS.md, .cairn/ and their like; without it
                                      you are asked once for each folder, and elsewhere than on a terminal they are not read
      --output text|json|stream-json  json: the outcome; stream-json: one event a line
      --max-turns N                   at most N requests to the model; 100 where the agent does not say it
      --max-time SECONDS
      --max-cost USD                  for models whose prices are known
      --list agents|roles|skills|models|tools|sessions
      --validate PATH                 checks agents, skills and roles of a file or folder; exits with 2 on errors
      --info                          where things are, and what is set
      --version, --help

Keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY, GROQ_API_KEY and their like, addresses from OPENAI_BASE_URL and so on.
A server of your own: CUSTOM_BASE_URL and -m custom:MODEL. A local Ollama is found by itself, or at OLLAMA_HOST.
Exit status: 0 completed, 1 failed, 2 bad usage or configuration, 3 limit reached, 4 rejected, 130 cancelled.
`;
