# run_step(<command>...): runs it, with its output in step_output, or ends the script.
function(run_step)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
    endif()
    set(step_output "${output}" PARENT_SCOPE)
endfunction()
