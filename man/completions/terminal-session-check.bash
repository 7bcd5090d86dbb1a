_terminal__session__check() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="terminal__session__check"
                ;;
            terminal__session__check,artifacts)
                cmd="terminal__session__check__subcmd__artifacts"
                ;;
            terminal__session__check,golden)
                cmd="terminal__session__check__subcmd__golden"
                ;;
            terminal__session__check,help)
                cmd="terminal__session__check__subcmd__help"
                ;;
            terminal__session__check__subcmd__help,artifacts)
                cmd="terminal__session__check__subcmd__help__subcmd__artifacts"
                ;;
            terminal__session__check__subcmd__help,golden)
                cmd="terminal__session__check__subcmd__help__subcmd__golden"
                ;;
            terminal__session__check__subcmd__help,help)
                cmd="terminal__session__check__subcmd__help__subcmd__help"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        terminal__session__check)
            opts="-h -V --help --version artifacts golden help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__artifacts)
            opts="-h --all --codex-home --color --format --allow --deny-warnings --list-codes --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --codex-home)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human json github junit" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "manifest-missing manifest-file manifest-json manifest-shape manifest-layout terminal-id time time-order key-missing key-type key-empty key-misplaced enum-value extra-value block-id-form block-id-repeated sequence sequence-repeated block-order message-key-repeated step-repeated step-unknown rejection-half snapshot-path snapshot-outside snapshot-missing snapshot-file snapshot-utf8 snapshot-length snapshot-size snapshot-sequence snapshot-replay snapshot-round-trip orphan journal-left temporary-left unexpected-file permissions" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__golden)
            opts="-h --codex-home --color --update --filter --ignore --must-contain --must-not-contain --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --codex-home)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --filter)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "timestamps ids paths none" -- "${cur}"))
                    return 0
                    ;;
                --must-contain)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --must-not-contain)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__help)
            opts="artifacts golden help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__help__subcmd__artifacts)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__help__subcmd__golden)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        terminal__session__check__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _terminal__session__check -o nosort -o bashdefault -o default terminal-session-check
else
    complete -F _terminal__session__check -o bashdefault -o default terminal-session-check
fi
